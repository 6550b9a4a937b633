-- What wrk asks: the requests of the file LOAD_REQUESTS (raw, each ended by a zero byte) in turn, every thread from a place of its own.
-- At the end one line of JSON.

local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init()
  requests = {}
  local file = assert(io.open(os.getenv("LOAD_REQUESTS"), "rb"))
  for one in file:read("*a"):gmatch("([^%z]+)%z") do
    requests[#requests + 1] = one
  end
  file:close()
  at = math.floor(number * #requests / tonumber(os.getenv("LOAD_THREADS")))
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\nRESULT {"requests":%d,"seconds":%.6f,"bytes":%.0f,"refused":%d,"broken":%d,"p50":%.9f,"p99":%.9f}\n',
    summary.requests, summary.duration / 1e6, summary.bytes, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50) / 1e6, latency:percentile(99) / 1e6
  ))
end
