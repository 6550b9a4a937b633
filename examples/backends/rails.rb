# Plain Ruby in the shape of a Rails application that owns its people and rooms: callbacks send them to the service, through
# an outbox, when they are saved and destroyed; who is in which room comes back by webhooks.

require "base64"
require "json"
require "net/http"
require "openssl"
require "pstore"
require "securerandom"
require "webrick"

# In Rails four tables: the outbox, memberships, the ids of what was applied, and the last event of a room that may be about
# somebody who was erased.
STORE = PStore.new(ENV.fetch("HOST_DATABASE", "host.pstore"), true)

# One call of the service.
module Service
  # The service has refused, and would again.
  class Refused < StandardError; end
  # It may be done later.
  class Unavailable < StandardError; end
  # 500: the service fails at this call alone. Any other failure is about all of them.
  class Internal < Unavailable; end

  BASE = ENV.fetch("CGM_URL", "http://127.0.0.1:8080")
  VERBS = { get: Net::HTTP::Get, post: Net::HTTP::Post, put: Net::HTTP::Put, delete: Net::HTTP::Delete }.freeze

  # Answers nil for the code that is fine.
  def self.call(verb, path, body = nil, fine = nil, key = nil)
    uri = URI("#{BASE}/v3#{path}")
    headers = { "apikey" => ENV.fetch("CGM_API_KEY"), "Content-Type" => "application/json", "Idempotency-Key" => key }
    request = VERBS.fetch(verb).new(uri, headers.compact)
    request.body = body.to_json if body
    answer = Net::HTTP.start(uri.host, uri.port, open_timeout: 5, read_timeout: 5) { |http| http.request(request) }
    data, error = JSON.parse(answer.body.to_s).values_at("data", "error")
    return data if answer.code < "400" || (error && error["code"] == fine)

    may_pass = error.nil? || %w[401 429].include?(answer.code) || answer.code >= "500"
    raise Internal, "#{error["code"]}: #{error["message"]}" if error && answer.code == "500"
    raise may_pass ? Unavailable : Refused, error ? "#{error["code"]}: #{error["message"]}" : "#{verb} #{path}: #{answer.code}"
  rescue SystemCallError, SocketError, IOError, Timeout::Error, Net::HTTPBadResponse, OpenSSL::SSL::SSLError, JSON::ParserError => failure
    raise Unavailable, "#{verb} #{path}: #{failure.message}"
  end

  # A snapshot line by line, anything else as one line.
  def self.read(path)
    uri = URI("#{BASE}/v3#{path}")
    request = Net::HTTP::Get.new(uri, "apikey" => ENV.fetch("CGM_API_KEY"), "Accept" => "application/x-ndjson")
    answer = Net::HTTP.start(uri.host, uri.port, read_timeout: 10) { |http| http.request(request) }
    return [] if answer.is_a?(Net::HTTPNotFound) # Of a room that is gone there is nothing.

    answer.value # raises unless it is 2xx
    answer.body.each_line.map { |line| JSON.parse(line) }
  end
end

# What the service has not got yet, in order. What it refuses, or fails at for a day, stays with the reason and is not sent again.
module Outbox
  SENDING = Mutex.new
  # How long a change is sent again to which the service answers 500, in seconds: a day, as long as it remembers keys.
  PATIENCE = ENV.fetch("HOST_PATIENCE", "86400").to_f

  # Stores a change and sends it: the first of these calls, and the next where the answer is the code that is fine. In Rails
  # after_save inserts, in the transaction that saves the record, and after_commit sends. Answers why it was refused, if it was.
  def self.change(*calls)
    key = SecureRandom.uuid
    STORE.transaction { (STORE[:outbox] ||= {})[key] = { calls: calls } }
    deliver
    STORE.transaction(true) { STORE[:outbox].dig(key, :refusal) }
  end

  # Sends what waits; false when something still waits. By its key a call is done once, also when its answer was lost.
  def self.deliver
    SENDING.synchronize do
      waiting = STORE.transaction(true) { STORE[:outbox].to_h.reject { |_, row| row[:refusal] } }
      waiting.all? { |key, row| sent?(key, row[:calls]) }
    end
  end

  # Whether the next one may be sent.
  def self.sent?(key, calls)
    calls.each_with_index.find { |call, number| Service.call(*call, "#{key}-#{number}") }
    STORE.transaction { STORE[:outbox].delete(key) }
    true
  rescue Service::Refused, Service::Unavailable => failure
    since = STORE.transaction { STORE[:outbox][key][:failing_since] ||= Time.now.to_f } if failure.is_a?(Service::Internal)
    is_put_aside = failure.is_a?(Service::Refused) || (!since.nil? && Time.now.to_f - since >= PATIENCE)
    warn "#{is_put_aside ? "put aside" : "to be sent again"}: #{failure.message}"
    STORE.transaction { STORE[:outbox][key][:refusal] = failure.message } if is_put_aside
    is_put_aside
  end
end

# Out, in a few lines: the bodies of callbacks.
module Person
  def self.after_save(uid, fields)
    Outbox.change([:post, "/users", { uid: uid, **fields }, "ERR_UID_ALREADY_EXISTS"], [:put, "/users/#{uid}", fields, nil])
  end

  # Before the record is deleted: while they own a group the service refuses, and the record stays.
  def self.before_destroy(uid)
    raise Service::Unavailable, "Earlier changes are not sent yet." unless Outbox.deliver

    Service.call(:delete, "/users/#{uid}", nil, "ERR_UID_NOT_FOUND")
  end
end

module Room
  def self.after_save(guid, fields)
    new = [:post, "/groups", { guid: guid, **fields }, "ERR_GUID_ALREADY_EXISTS"]
    Outbox.change(new, [:put, "/groups/#{guid}", { name: fields[:name] }, nil])
  end

  def self.after_destroy(guid) = Outbox.change([:delete, "/groups/#{guid}", nil, "ERR_GUID_NOT_FOUND"])

  # No callbacks of a membership: only webhooks write those, so where the service refuses, nothing has changed on either side.
  def self.add(guid, uid) = told(Outbox.change([:post, "/groups/#{guid}/members", { participants: [uid] }, nil]))
  def self.remove(guid, uid) = told(Outbox.change([:delete, "/groups/#{guid}/members/#{uid}", nil, "ERR_NOT_A_MEMBER"]))
  def self.told(refusal) = refusal && raise(Service::Refused, refusal)
end

# What a route points to.
class WebhooksController
  def create(headers, body)
    return 401 unless signed?(headers, body)

    # Both or neither: the event is applied, and it is known that it was.
    STORE.transaction do
      applied = STORE[:applied] ||= {}
      event = JSON.parse(body)
      apply(event["type"], event["data"]) unless applied[headers["webhook-id"]]
      applied[headers["webhook-id"]] = true
    end
    204
  end

  def self.members(guid) = STORE.transaction(true) { STORE[:rooms]&.dig(guid).to_h.transform_values { |member| member[:scope] } }

  private

  # Whether the service has signed this request: Standard Webhooks 1.0.
  def signed?(headers, body)
    return false if (Time.now.to_i - headers["webhook-timestamp"].to_i).abs > 300

    secret = Base64.strict_decode64(ENV.fetch("CGM_WEBHOOK_SECRET").delete_prefix("whsec_"))
    signed = "#{headers["webhook-id"]}.#{headers["webhook-timestamp"]}.#{body}"
    ours = "v1,#{Base64.strict_encode64(OpenSSL::HMAC.digest("SHA256", secret, signed))}"
    headers["webhook-signature"].to_s.split.any? { |theirs| OpenSSL.secure_compare(ours, theirs) }
  end

  # The members an event speaks of are in the room with this scope, or out of it.
  def apply(type, data)
    return read_again if type == "log.restarted"
    return forget(data["uid"], data["positions"]) if type == "user.deleted"

    guid = data.dig("group", "guid") or return
    rooms.delete(guid) if %w[group.created group.deleted].include?(type)
    touched(data) { |member| put(guid, data["seq"], member["uid"], member["scope"]) }
  end

  def rooms = STORE[:rooms] ||= {}
  def erased = STORE[:erased] ||= {}

  # Whom an event touched. Of many people it has only membersUrl, where to read them.
  def touched(data, &block)
    return (data["members"] || [data["member"]].compact).each(&block) unless data["membersUrl"]

    cursor = ""
    while cursor
      page, = Service.read("/groups/#{data["group"]["guid"]}/events/#{data["seq"]}/members?limit=1000&cursor=#{cursor}")
      page["data"].each(&block)
      cursor = page["meta"]["next"]
    end
  end

  def put(guid, seq, uid, scope)
    return if erased.fetch([guid, uid], 0) >= seq

    room = rooms[guid] ||= {}
    scope ? room[uid] = { scope: scope, seq: seq } : room.delete(uid)
  end

  # Somebody was erased. Later events are about somebody else by the same uid.
  def forget(uid, positions)
    positions.each do |guid, seq|
      erased[[guid, uid]] = seq
      rooms[guid]&.delete_if { |member, row| member == uid && row[:seq] <= seq }
    end
  end

  # Another history of events begins: a snapshot of each room says who is in it, and as of which event.
  def read_again
    [rooms, erased].each(&:clear)
    page_of_groups = "/groups?perPage=1000&sortBy=createdAt&page="
    first, = Service.read("#{page_of_groups}1")
    # The last page first: when a room is deleted meanwhile, those after it move towards pages that are not read yet.
    first["meta"]["pagination"]["total_pages"].downto(1) do |page|
      listed, = Service.read("#{page_of_groups}#{page}")
      listed["data"].each do |group|
        head, *people = Service.read("/groups/#{group["guid"]}/members")
        people.each { |person| put(group["guid"], head["seq"], person["uid"], person["isOwner"] ? "owner" : person["scope"]) }
      end
    end
  end
end

server = WEBrick::HTTPServer.new(BindAddress: "127.0.0.1", Port: ENV.fetch("PORT", "3000").to_i, AccessLog: [], Logger: WEBrick::Log.new($stderr, WEBrick::Log::WARN))

# WEBrick's servlets know GET and POST by themselves.
class Routes < WEBrick::HTTPServlet::AbstractServlet
  def service(request, response)
    fields = request.body.to_s.empty? ? {} : JSON.parse(request.body, symbolize_names: true)
    answer =
      case [request.request_method, *request.path.split("/").drop(1)]
      in ["POST", "webhooks"]
        headers = request.header.transform_values(&:first)
        response.status = WebhooksController.new.create(headers, request.body)
        return
      in ["PUT", "people", uid] then Person.after_save(uid, fields)
      in ["DELETE", "people", uid] then Person.before_destroy(uid)
      in ["PUT", "rooms", guid] then Room.after_save(guid, fields)
      in ["DELETE", "rooms", guid] then Room.after_destroy(guid)
      in ["PUT", "rooms", guid, "people", uid] then Room.add(guid, uid)
      in ["DELETE", "rooms", guid, "people", uid] then Room.remove(guid, uid)
      in ["GET", "rooms", guid] then WebhooksController.members(guid)
      in ["POST", "outbox"] then { sent: Outbox.deliver } # from cron
      in ["GET", "token", uid] then { token: Service.call(:post, "/users/#{uid}/auth_tokens", {})["authToken"] } # current_user.id
      end
    response["Content-Type"] = "application/json"
    response.body = answer.to_json
  rescue Service::Refused, Service::Unavailable => failure # the person who asked is told
    response.status = failure.is_a?(Service::Refused) ? 409 : 503
    response.body = { error: failure.message }.to_json
  end
end

server.mount("/", Routes)
trap("TERM") { server.shutdown }
server.start
