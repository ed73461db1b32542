/** Lua: all fields of a record as a table, for scripts that need many of them. Missing fields are nil. */
export const FIELDS_OF = `
  local function fieldsOf(key)
    local fields = {}
    local pairsRead = redis.call('HGETALL', key)
    for index = 1, #pairsRead, 2 do fields[pairsRead[index]] = pairsRead[index + 1] end
    return fields
  end`;
