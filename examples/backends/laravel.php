<?php

// Plain PHP in the shape of a Laravel application that owns its people and rooms: observers send them to the service,
// through an outbox, when they are saved and deleted; who is in which room comes back by webhooks. Start it: php -S 127.0.0.1:3000 laravel.php

declare(strict_types=1);

ini_set('display_errors', '0'); // so that whatever is thrown answers 500, and the webhook comes again

/** The service has refused, and would again. */
final class Refused extends RuntimeException
{
}

/** It may be done later. The code is 500 where the service fails at this call alone; any other failure is about all of them. */
final class Unavailable extends RuntimeException
{
}

/** How long a change is sent again to which the service answers 500, in seconds: a day, as long as it remembers keys. */
define('PATIENCE', (float) (getenv('HOST_PATIENCE') ?: 86_400));

/** One call of the service (in Laravel: Http::withHeaders(…)->send(…)); null for the code that is fine. */
function service(string $method, string $path, ?array $body = null, ?string $fine = null, string $key = ''): ?array
{
    $curl = curl_init((getenv('CGM_URL') ?: 'http://127.0.0.1:8080') . "/v3$path");
    $headers = ['apikey: ' . getenv('CGM_API_KEY'), 'Content-Type: application/json'];
    curl_setopt_array($curl, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_HTTPHEADER => $key === '' ? $headers : [...$headers, "Idempotency-Key: $key"],
        CURLOPT_POSTFIELDS => $body === null ? '' : json_encode((object) $body),
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 5,
    ]);
    $answer = json_decode((string) curl_exec($curl), true);
    $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    $error = $answer['error'] ?? null;
    if (isset($answer['data']) || ($error !== null && $error['code'] === $fine)) {
        return $answer['data'] ?? null;
    }
    if ($error === null || $status === 401 || $status === 429 || $status >= 500) {
        throw new Unavailable("$method $path: " . ($error['code'] ?? "$status " . curl_error($curl)), $error === null ? 0 : $status);
    }
    throw new Refused("{$error['code']}: {$error['message']}");
}

/** Reads from the service: a snapshot line by line, anything else as one line. */
function read(string $path): array
{
    $curl = curl_init((getenv('CGM_URL') ?: 'http://127.0.0.1:8080') . "/v3$path");
    curl_setopt_array($curl, [
        CURLOPT_HTTPHEADER => ['apikey: ' . getenv('CGM_API_KEY'), 'Accept: application/x-ndjson'],
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_FAILONERROR => true,
        CURLOPT_TIMEOUT => 10,
    ]);
    $lines = curl_exec($curl);
    if (curl_getinfo($curl, CURLINFO_RESPONSE_CODE) === 404) {
        return []; // Of a room that is gone there is nothing.
    }
    if ($lines === false) {
        throw new RuntimeException("$path: " . curl_error($curl));
    }
    return array_map(fn (string $line): array => json_decode($line, true), explode("\n", rtrim($lines)));
}

/** What the service has not got yet, in order. What it refuses, or fails at for a day, stays with the reason and is not sent again. */
final class Outbox
{
    public function __construct(private PDO $database)
    {
    }

    /**
     * Stores a change and sends it: the first of these calls, and the next where the answer is the code that is fine. In Laravel
     * this inserts in the transaction that saves the model, and DB::afterCommit() sends. Returns why it was refused, if it was.
     */
    public function change(array ...$calls): ?string
    {
        $this->run('INSERT INTO outbox (uuid, calls) VALUES (?, ?)', bin2hex(random_bytes(16)), json_encode($calls));
        $id = (int) $this->database->lastInsertId();
        $this->send();
        return $this->run('SELECT refusal FROM outbox WHERE id = ?', $id)->fetchColumn() ?: null;
    }

    /** Sends what waits; false when something still waits. By its key a call is done once, also when its answer was lost. */
    public function send(): bool
    {
        foreach ($this->run('SELECT * FROM outbox WHERE refusal IS NULL ORDER BY id')->fetchAll() as $row) {
            try {
                foreach (json_decode($row['calls'], true) as $number => [$method, $path, $body, $fine]) {
                    if (service($method, $path, $body, $fine, "{$row['uuid']}-$number") !== null) {
                        break;
                    }
                }
                $this->run('DELETE FROM outbox WHERE id = ?', $row['id']);
            } catch (Refused | Unavailable $failure) {
                $isInternal = $failure->getCode() === 500;
                $since = $row['failing_since'] ?? ($isInternal ? time() : null);
                $isPutAside = $failure instanceof Refused || ($isInternal && time() - $since >= PATIENCE);
                error_log(($isPutAside ? 'put aside: ' : 'to be sent again: ') . $failure->getMessage());
                $refusal = $isPutAside ? $failure->getMessage() : null;
                $this->run('UPDATE outbox SET refusal = ?, failing_since = ? WHERE id = ?', $refusal, $since, $row['id']);
                if (!$isPutAside) {
                    return false;
                }
            }
        }
        return true;
    }

    private function run(string $sql, string|int|null ...$values): PDOStatement
    {
        $statement = $this->database->prepare($sql);
        $statement->execute($values);
        return $statement;
    }
}

// Out, in a few lines.
final class PersonObserver
{
    public function __construct(private Outbox $outbox)
    {
    }

    public function saved(string $uid, array $fields): void
    {
        $this->outbox->change(['POST', '/users', ['uid' => $uid] + $fields, 'ERR_UID_ALREADY_EXISTS'], ['PUT', "/users/$uid", $fields, null]);
    }

    /** Before your own row is deleted: while they own a group the service refuses, and your row stays. */
    public function deleting(string $uid): void
    {
        if (!$this->outbox->send()) {
            throw new Unavailable('Earlier changes are not sent yet.');
        }
        service('DELETE', "/users/$uid", null, 'ERR_UID_NOT_FOUND');
    }
}

final class RoomObserver
{
    public function __construct(private Outbox $outbox)
    {
    }

    public function saved(string $guid, array $fields): void
    {
        $new = ['POST', '/groups', ['guid' => $guid] + $fields, 'ERR_GUID_ALREADY_EXISTS'];
        $this->outbox->change($new, ['PUT', "/groups/$guid", ['name' => $fields['name']], null]);
    }

    public function deleted(string $guid): void
    {
        $this->outbox->change(['DELETE', "/groups/$guid", null, 'ERR_GUID_NOT_FOUND']);
    }
}

/** What a route points to. */
final class WebhookController
{
    public function __construct(private PDO $database)
    {
    }

    public function __invoke(array $headers, string $body): int
    {
        if (!$this->isSigned($headers, $body)) {
            return 401;
        }
        // Both or neither: the event is applied, and it is known that it was.
        $this->database->beginTransaction();
        $applied = $this->database->prepare('INSERT OR IGNORE INTO applied (id) VALUES (?)');
        $applied->execute([$headers['webhook-id']]);
        if ($applied->rowCount() === 1) {
            $event = json_decode($body, true);
            $this->apply($event['type'], $event['data']);
        }
        $this->database->commit();
        return 204;
    }

    /** Whether the service has signed this request: Standard Webhooks 1.0. */
    private function isSigned(array $headers, string $body): bool
    {
        if (abs(time() - (int) ($headers['webhook-timestamp'] ?? 0)) > 300) {
            return false;
        }
        $secret = base64_decode(substr((string) getenv('CGM_WEBHOOK_SECRET'), strlen('whsec_')));
        $signed = "{$headers['webhook-id']}.{$headers['webhook-timestamp']}.$body";
        $ours = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $secret, true));
        $matches = fn (string $theirs): bool => hash_equals($ours, $theirs);
        return array_filter(explode(' ', $headers['webhook-signature'] ?? ''), $matches) !== [];
    }

    /** The members an event speaks of are in the room with this scope, or out of it. */
    private function apply(string $type, array $data): void
    {
        if ($type === 'log.restarted') {
            $this->readAgain();
        } elseif ($type === 'user.deleted') {
            $this->forget($data['uid'], $data['positions']);
        } elseif (isset($data['group'])) {
            $room = $data['group']['guid'];
            if ($type === 'group.created' || $type === 'group.deleted') {
                $this->write('DELETE FROM memberships WHERE room = ?', $room);
            }
            foreach ($this->touched($data) as $member) {
                $this->put($room, $data['seq'], $member['uid'], $member['scope']);
            }
        }
    }

    /** Whom an event touched. Of many people it has only membersUrl, where to read them. */
    private function touched(array $data): Generator
    {
        if (!isset($data['membersUrl'])) {
            yield from $data['members'] ?? array_filter([$data['member'] ?? null]);
            return;
        }
        for ($cursor = ''; $cursor !== null; $cursor = $page['meta']['next']) {
            [$page] = read("/groups/{$data['group']['guid']}/events/{$data['seq']}/members?limit=1000&cursor=$cursor");
            yield from $page['data'];
        }
    }

    private function put(string $room, int $seq, string $uid, ?string $scope): void
    {
        $erased = $this->database->prepare('SELECT 1 FROM erased WHERE room = ? AND uid = ? AND seq >= ?');
        $erased->execute([$room, $uid, $seq]);
        if ($erased->fetch()) {
            return;
        }
        if ($scope !== null) {
            $this->write('REPLACE INTO memberships (room, uid, scope, seq) VALUES (?, ?, ?, ?)', $room, $uid, $scope, $seq);
        } else {
            $this->write('DELETE FROM memberships WHERE room = ? AND uid = ?', $room, $uid);
        }
    }

    /** Somebody was erased. Later events are about somebody else by the same uid. */
    private function forget(string $uid, array $positions): void
    {
        foreach ($positions as $room => $seq) {
            $this->write('REPLACE INTO erased (room, uid, seq) VALUES (?, ?, ?)', $room, $uid, $seq);
            $this->write('DELETE FROM memberships WHERE room = ? AND uid = ? AND seq <= ?', $room, $uid, $seq);
        }
    }

    /** Another history of events begins: a snapshot of each room says who is in it, and as of which event. */
    private function readAgain(): void
    {
        $this->write('DELETE FROM memberships');
        $this->write('DELETE FROM erased');
        $pageOfGroups = '/groups?perPage=1000&sortBy=createdAt&page=';
        [$first] = read("{$pageOfGroups}1");
        // The last page first: when a room is deleted meanwhile, those after it move towards pages that are not read yet.
        for ($page = $first['meta']['pagination']['total_pages']; $page > 0; $page--) {
            [$listed] = read("$pageOfGroups$page");
            foreach (array_column($listed['data'], 'guid') as $room) {
                $people = read("/groups/$room/members");
                $seq = array_shift($people)['seq'] ?? 0;
                foreach ($people as $person) {
                    $this->put($room, $seq, $person['uid'], ($person['isOwner'] ?? false) ? 'owner' : $person['scope']);
                }
            }
        }
    }

    private function write(string $sql, string|int ...$values): void
    {
        $this->database->prepare($sql)->execute($values);
    }
}

$database = new PDO('sqlite:' . (getenv('HOST_DATABASE') ?: 'host.db'));
$database->exec('CREATE TABLE IF NOT EXISTS applied (id TEXT PRIMARY KEY)');
$database->exec('CREATE TABLE IF NOT EXISTS memberships (room TEXT, uid TEXT, scope TEXT, seq INTEGER, PRIMARY KEY (room, uid))');
// The last event of a room that may be about somebody who was erased.
$database->exec('CREATE TABLE IF NOT EXISTS erased (room TEXT, uid TEXT, seq INTEGER, PRIMARY KEY (room, uid))');

$database->exec('CREATE TABLE IF NOT EXISTS outbox (id INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT, calls TEXT, refusal TEXT, failing_since INTEGER)');
$outbox = new Outbox($database);

// Tells the person who asked why it was not done.
set_exception_handler(function (Throwable $thrown): void {
    error_log((string) $thrown);
    $isTold = $thrown instanceof Refused || $thrown instanceof Unavailable;
    http_response_code($isTold ? ($thrown instanceof Refused ? 409 : 503) : 500);
    header('Content-Type: application/json');
    echo json_encode(['error' => $isTold ? $thrown->getMessage() : 'Something went wrong.']);
});

$path = explode('/', trim((string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH), '/'));
$body = (string) file_get_contents('php://input');
$fields = json_decode($body, true) ?? [];
$answer = [];
switch ($_SERVER['REQUEST_METHOD'] . ' ' . $path[0] . ' ' . count($path)) {
    case 'POST webhooks 1':
        http_response_code((new WebhookController($database))(array_change_key_case(getallheaders()), $body));
        return;
    case 'PUT people 2':
        (new PersonObserver($outbox))->saved($path[1], $fields);
        break;
    case 'DELETE people 2':
        (new PersonObserver($outbox))->deleting($path[1]);
        break;
    case 'PUT rooms 2':
        (new RoomObserver($outbox))->saved($path[1], $fields);
        break;
    case 'DELETE rooms 2':
        (new RoomObserver($outbox))->deleted($path[1]);
        break;
    case 'PUT rooms 4':
    case 'DELETE rooms 4':
        $call = $_SERVER['REQUEST_METHOD'] === 'PUT'
            ? ['POST', "/groups/$path[1]/members", ['participants' => [$path[3]]], null]
            : ['DELETE', "/groups/$path[1]/members/$path[3]", null, 'ERR_NOT_A_MEMBER'];
        // Only webhooks write memberships here, so where the service refuses, nothing has changed on either side.
        $refusal = $outbox->change($call);
        if ($refusal !== null) {
            throw new Refused($refusal);
        }
        break;
    case 'POST outbox 1': // from cron
        $answer = ['sent' => $outbox->send()];
        break;
    case 'GET rooms 2':
        $members = $database->prepare('SELECT uid, scope FROM memberships WHERE room = ?');
        $members->execute([$path[1]]);
        $answer = $members->fetchAll(PDO::FETCH_KEY_PAIR);
        break;
    case 'GET token 2': // Auth::id() in your application
        $answer = ['token' => service('POST', "/users/$path[1]/auth_tokens")['authToken']];
        break;
    default:
        http_response_code(404);
}
header('Content-Type: application/json');
echo json_encode((object) $answer);
