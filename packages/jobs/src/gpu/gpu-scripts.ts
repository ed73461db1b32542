/** Field of a project's reserved GPUs: the last job whose reservation ended. No job has this id. */
const LAST_RELEASED = 'released';
/** Longer than the list of servers of a job that is about to reserve takes. */
const RELEASED_KEPT_SECONDS = 3600;

/** Ends the reservation of a job, which may have made its servers by now. `release` differs from those before it. */
export const RELEASE_GPUS = `
  local function releaseGpus(reserved, job, release)
    if redis.call('HDEL', reserved, job) == 0 then return end
    redis.call('HSET', reserved, '${LAST_RELEASED}', release)
    if redis.call('HLEN', reserved) == 1 then redis.call('EXPIRE', reserved, ${RELEASED_KEPT_SECONDS}) end
  end`;

/** Reads the reservations of jobs that have not ended. Reservations of lost jobs are dropped. */
const RESERVATIONS = `
  local function reservations(key, record)
    local found = {}
    local all = redis.call('HGETALL', key)
    for at = 1, #all, 2 do
      local job = all[at]
      if job ~= '${LAST_RELEASED}' then
        local status = redis.call('HGET', record .. job, 'status')
        if status == 'queued' or status == 'running' then
          found[job] = cjson.decode(all[at + 1])
        else
          redis.call('HDEL', key, job)
        end
      end
    end
    return found
  end`;

/**
 * Reserves GPUs for a job, unless the project would exceed a quota. The quota counts the GPUs of the project's servers,
 * which the caller has listed, and the reservations. A server of a job that has a reservation is counted with the
 * reservation only. A job may create a server and end while the caller reads the list, so a list from before the last
 * release is refused. A repeated reservation of the same job replaces the earlier one.
 *
 * KEYS: 1 record, 2 reserved, 3 quotas, 4 defaults. ARGV: 1 job id, 2 requested GPUs as JSON (\`GpuCounts\`), 3 servers with
 * GPUs as JSON (\`ServerGpus[]\`; '' before they were listed), 4 the last release before that.
 * Returns { 'reserved' }, { 'ended' } for a job that is not running, { 'list', last release } if the servers have to be
 * listed first, or { 'exceeded', JSON of what is exceeded }. See decision 70.
 */
export const RESERVE_GPUS_SCRIPT = `${RESERVATIONS}
  local job = ARGV[1]
  if redis.call('HGET', KEYS[1], 'status') ~= 'running' then return { 'ended' } end
  local requested = cjson.decode(ARGV[2])
  local limits = {}
  for key in pairs(requested) do
    local quota = redis.call('HGET', KEYS[3], key) or redis.call('HGET', KEYS[4], key)
    local limit = quota and cjson.decode(quota).limit
    if limit and limit >= 0 then limits[key] = limit end
  end
  if next(limits) then
    local released = redis.call('HGET', KEYS[2], '${LAST_RELEASED}') or ''
    if ARGV[3] == '' or ARGV[4] ~= released then return { 'list', released } end
    local used = {}
    local function add(gpus)
      for key, gpu in pairs(gpus) do used[key] = (used[key] or 0) + gpu.count end
    end
    local reserved = reservations(KEYS[2], string.sub(KEYS[1], 1, -string.len(job) - 1))
    for other, gpus in pairs(reserved) do
      if other ~= job then add(gpus) end
    end
    for _, server in ipairs(cjson.decode(ARGV[3])) do
      local isOwn = server.jobId == job or server.serverId == job
      if not isOwn and not reserved[server.jobId] and not reserved[server.serverId or ''] then add(server.gpus) end
    end
    local exceeded = {}
    for key, limit in pairs(limits) do
      local gpu = requested[key]
      local inUse = used[key] or 0
      if inUse + gpu.count > limit then
        table.insert(exceeded, { type = gpu.type, limit = limit, inUse = inUse, requested = gpu.count })
      end
    end
    if #exceeded > 0 then return { 'exceeded', cjson.encode(exceeded) } end
  end
  redis.call('HSET', KEYS[2], job, ARGV[2])
  redis.call('PERSIST', KEYS[2])
  redis.call('HSET', KEYS[1], 'gpuReserved', KEYS[2])
  return { 'reserved' }`;

/** Makes a record that stands for a job which reserves GPUs, and expires. KEYS: 1 record. ARGV: 1 seconds. */
export const HOLD_SCRIPT = `
  redis.call('HSET', KEYS[1], 'status', 'running')
  return redis.call('EXPIRE', KEYS[1], ARGV[1])`;

/**
 * Ends the reservation of such a record, and removes it. KEYS: 1 record, 2 reserved. ARGV: 1 the record's id, 2 the id of this release,
 * which is used once.
 */
export const RELEASE_HOLD_SCRIPT = `${RELEASE_GPUS}
  releaseGpus(KEYS[2], ARGV[1], ARGV[2])
  return redis.call('DEL', KEYS[1])`;

/**
 * Reads a project's GPU quotas and reservations. KEYS: 1 reserved, 2 quotas, 3 defaults, 4 any record, whose id is ARGV[1].
 * Returns the fields of quotas, those of defaults, and the reservations as JSON.
 */
export const READ_GPUS_SCRIPT = `${RESERVATIONS}
  local reserved = reservations(KEYS[1], string.sub(KEYS[4], 1, -string.len(ARGV[1]) - 1))
  local list = {}
  for job, gpus in pairs(reserved) do
    table.insert(list, cjson.encode({ jobId = job, gpus = gpus }))
  end
  return { redis.call('HGETALL', KEYS[2]), redis.call('HGETALL', KEYS[3]), list }`;
