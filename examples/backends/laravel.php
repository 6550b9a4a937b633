<?php

// Plain PHP in the shape of a Laravel application that owns its people and rooms: observers send them to the service
// when they are saved; who is in which room comes back by webhooks. Start it: php -S 127.0.0.1:3000 laravel.php

declare(strict_types=1);

/** One call of the service (in Laravel: Http::withHeaders(…)->send(…)); null for a code that is fine. */
function service(string $method, string $path, ?array $body = null, string ...$fine): ?array
{
    $curl = curl_init((getenv('CGM_URL') ?: 'http://127.0.0.1:8080') . "/v3$path");
    curl_setopt_array($curl, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_HTTPHEADER => ['apikey: ' . getenv('CGM_API_KEY'), 'Content-Type: application/json'],
        CURLOPT_POSTFIELDS => $body === null ? '' : json_encode((object) $body),
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 5,
    ]);
    $answer = json_decode((string) curl_exec($curl), true);
    $error = $answer['error'] ?? null;
    if ($error !== null && !in_array($error['code'], $fine, true)) {
        throw new RuntimeException("{$error['code']}: {$error['message']}");
    }
    return $answer['data'] ?? null;
}

// Out, in ten lines.
final class PersonObserver
{
    public function saved(string $uid, array $fields): void
    {
        service('POST', '/users', ['uid' => $uid] + $fields, 'ERR_UID_ALREADY_EXISTS') ?? service('PUT', "/users/$uid", $fields);
    }

    public function deleted(string $uid): void
    {
        service('DELETE', "/users/$uid", null, 'ERR_UID_NOT_FOUND');
    }
}

final class RoomObserver
{
    public function saved(string $guid, array $fields): void
    {
        service('POST', '/groups', ['guid' => $guid] + $fields, 'ERR_GUID_ALREADY_EXISTS')
            ?? service('PUT', "/groups/$guid", ['name' => $fields['name']]);
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
        $room = $data['group']['guid'] ?? null;
        if ($type === 'group.deleted') {
            $this->database->prepare('DELETE FROM memberships WHERE room = ?')->execute([$room]);
        }
        foreach ($data['members'] ?? array_filter([$data['member'] ?? null]) as $member) {
            if (isset($member['scope'])) {
                $this->database->prepare('REPLACE INTO memberships (room, uid, scope) VALUES (?, ?, ?)')
                    ->execute([$room, $member['uid'], $member['scope']]);
            } else {
                $this->database->prepare('DELETE FROM memberships WHERE room = ? AND uid = ?')->execute([$room, $member['uid']]);
            }
        }
    }
}

$database = new PDO('sqlite:' . (getenv('HOST_DATABASE') ?: 'host.db'));
$database->exec('CREATE TABLE IF NOT EXISTS applied (id TEXT PRIMARY KEY)');
$database->exec('CREATE TABLE IF NOT EXISTS memberships (room TEXT, uid TEXT, scope TEXT, PRIMARY KEY (room, uid))');

$path = explode('/', trim((string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH), '/'));
$body = (string) file_get_contents('php://input');
$fields = json_decode($body, true) ?? [];
$answer = [];
switch ($_SERVER['REQUEST_METHOD'] . ' ' . $path[0] . ' ' . count($path)) {
    case 'POST webhooks 1':
        http_response_code((new WebhookController($database))(array_change_key_case(getallheaders()), $body));
        return;
    case 'PUT people 2':
        (new PersonObserver())->saved($path[1], $fields);
        break;
    case 'DELETE people 2':
        (new PersonObserver())->deleted($path[1]);
        break;
    case 'PUT rooms 2':
        (new RoomObserver())->saved($path[1], $fields);
        break;
    case 'PUT rooms 4':
        $answer = service('POST', "/groups/$path[1]/members", ['participants' => [$path[3]]]);
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
