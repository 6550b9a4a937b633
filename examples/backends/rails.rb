# Plain Ruby in the shape of a Rails application that owns its people and rooms: callbacks send them to the service when
# they are saved; who is in which room comes back by webhooks.

require "base64"
require "json"
require "net/http"
require "openssl"
require "pstore"
require "webrick"

# One call of the service.
module Service
  BASE = ENV.fetch("CGM_URL", "http://127.0.0.1:8080")
  VERBS = { get: Net::HTTP::Get, post: Net::HTTP::Post, put: Net::HTTP::Put, delete: Net::HTTP::Delete }.freeze

  # Answers nil for a code that is fine.
  def self.call(verb, path, body = nil, fine: [])
    uri = URI("#{BASE}/v3#{path}")
    request = VERBS.fetch(verb).new(uri, "apikey" => ENV.fetch("CGM_API_KEY"), "Content-Type" => "application/json")
    request.body = body.to_json if body
    answer = JSON.parse(Net::HTTP.start(uri.host, uri.port, read_timeout: 5) { |http| http.request(request).body })
    error = answer["error"]
    raise "#{error["code"]}: #{error["message"]}" if error && !fine.include?(error["code"])

    answer["data"]
  end
end

# Out, in ten lines: the bodies of after_save and after_destroy.
module Person
  def self.after_save(uid, fields)
    Service.call(:post, "/users", { uid: uid, **fields }, fine: ["ERR_UID_ALREADY_EXISTS"]) || Service.call(:put, "/users/#{uid}", fields)
  end

  def self.after_destroy(uid) = Service.call(:delete, "/users/#{uid}", fine: ["ERR_UID_NOT_FOUND"])
end

module Room
  def self.after_save(guid, fields)
    Service.call(:post, "/groups", { guid: guid, **fields }, fine: ["ERR_GUID_ALREADY_EXISTS"]) ||
      Service.call(:put, "/groups/#{guid}", { name: fields[:name] })
  end
end

# What a route points to.
class WebhooksController
  # In Rails two tables: memberships, and the ids of what was applied.
  STORE = PStore.new(ENV.fetch("HOST_DATABASE", "host.pstore"), true)

  def create(headers, body)
    return 401 unless signed?(headers, body)

    # Both or neither: the event is applied, and it is known that it was.
    STORE.transaction do
      applied = STORE[:applied] ||= {}
      event = JSON.parse(body)
      apply(STORE[:rooms] ||= {}, event["type"], event["data"]) unless applied[headers["webhook-id"]]
      applied[headers["webhook-id"]] = true
    end
    204
  end

  def self.members(guid) = STORE.transaction(true) { STORE[:rooms]&.dig(guid) || {} }

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
  def apply(rooms, type, data)
    guid = data.dig("group", "guid") or return
    return rooms.delete(guid) if type == "group.deleted"

    room = rooms[guid] ||= {}
    (data["members"] || [data["member"]].compact).each do |member|
      member["scope"] ? room[member["uid"]] = member["scope"] : room.delete(member["uid"])
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
      in ["DELETE", "people", uid] then Person.after_destroy(uid)
      in ["PUT", "rooms", guid] then Room.after_save(guid, fields)
      in ["PUT", "rooms", guid, "people", uid] then Service.call(:post, "/groups/#{guid}/members", { participants: [uid] })
      in ["GET", "rooms", guid] then WebhooksController.members(guid)
      in ["GET", "token", uid] then { token: Service.call(:post, "/users/#{uid}/auth_tokens", {})["authToken"] } # current_user.id
      end
    response["Content-Type"] = "application/json"
    response.body = answer.to_json
  end
end

server.mount("/", Routes)
trap("TERM") { server.shutdown }
server.start
