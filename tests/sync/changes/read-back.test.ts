/** Finds the row of an ambiguous create in a list, and tests when a list proves that it is absent (RULES OC6, PL7). */
import { type } from 'arktype'
import { describe, expect, test } from 'vitest'
import { PAGE_SIZE } from '#schemas/limits.ts'
import { findOurs } from '#sync/resources/resource.ts'
import type { Api } from '#sync/scheduler/api.ts'

const row = type({ id: 'string' })
const rowsOf = (...ids: string[]) => ids.map((id) => ({ id }))

/** @param body the answer at every offset @param given `ours`: ids of rows that have the sent content */
function found(
  body: unknown[],
  { total = null, taken = [], ours = [] }: { total?: number | null; taken?: string[]; ours?: string[] },
) {
  const api: Api = {
    read: () => Promise.reject(new Error('a read-back takes nothing that was kept')),
    fresh: { read: async () => ({ kind: 'accepted', status: 200, body, total }) },
    write: () => Promise.reject(new Error('a read-back writes nothing')),
  }
  return findOurs(
    { api, loginUserId: 'u', takenIds: async () => new Set(taken) },
    { path: 'list', query: {}, paged: true },
    (raw) => row(raw),
    ({ id }) => ours.includes(id),
  )
}

describe('[OC6] a record in doubt is looked for in its list', () => {
  test('a row that another record of the device holds is not ours, though it says the same', async () => {
    const given = { taken: ['a'], ours: ['a', 'b'] }
    expect(await found(rowsOf('a', 'b'), given)).toEqual({ kind: 'ours', serverId: 'b' })
    expect(await found(rowsOf('a'), given)).toEqual({ kind: 'absent' })
  })

  test('[PL7] only a complete list without it proves that it is not there', async () => {
    const unknown = { kind: 'failed', outcome: { kind: 'unknown' } }
    const page = rowsOf(...Array.from({ length: PAGE_SIZE }, (_, at) => `${at}`))
    expect(await found(rowsOf('a'), { total: 1 })).toEqual({ kind: 'absent' })
    expect(await found(rowsOf('a'), { total: 2 })).toMatchObject(unknown)
    // a CRM that ignores `offset`
    expect(await found(page, {})).toMatchObject(unknown)
  })
})
