/**
 * The demo CRM has its own bodies and rows, as a witness of the contract: that it keeps every declared field, and gives it
 * back, is seen by saving and reading each declared resource.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Declaration } from '#schemas/declare/declare.ts'
import { declared } from '#schemas/collections/declared.ts'
import { wireOf } from '#schemas/declare/derive.ts'
import { bodyOf, serverFromWire } from '#sync/wire/declared.ts'
import { content, fieldsOf, filledIn, plain } from '../support/declared-values.ts'
import { openHarness, TODAY } from './harness.ts'

const USER = 'ss-2006'
const RUNS = { numRuns: 60 }
// a quick report is made by its entry, with bodies of its own: tests/demo-crm/quick-report.test.ts
const ROWS = Object.entries<Declaration>(declared).filter(([, { sends }]) => sends.create !== null)

describe.each(ROWS)('[crm-contract 4] %s', (_, declaration) => {
  const { path, sends } = declaration
  const wire = wireOf(declaration)

  test('every declared field is kept and given back', async () => {
    const { rest, login } = await openHarness()
    await login()
    const read = async (id: string) =>
      serverFromWire(declaration, wire.assert((await rest('GET', `${path}/${id}?loginUserId=${USER}`)).json))
    const full = Object.fromEntries(
      fieldsOf(declaration).map(([name, field]) => [
        name,
        field.kind === 'time' ? `${TODAY}T09:00:00+09:00` : filledIn(field),
      ]),
    )
    const { json: requests } = await rest(
      'GET',
      `request/search?workingDateFrom=${TODAY}&workingDateTo=${TODAY}`,
    )
    let made: { id: string; record: object } | null = null
    for (const { id: requestId } of requests) {
      const record = { requestId, workingDate: TODAY, safetyType: '3', contactType: '02' }
      const answer = await rest('POST', `${path}/`, bodyOf(declaration, 'create', record, full, USER))
      if (answer.status === 201) made = { id: answer.json.id, record }
      if (made) break
    }
    if (!made) throw new Error('no request takes one')
    const { id, record } = made
    expect(plain(declaration, await read(id))).toEqual(plain(declaration, full))
    if (!sends.edit) return
    await fc.assert(
      fc.asyncProperty(content(declaration), async (fields) => {
        const body = bodyOf(declaration, 'edit', record, fields, USER)
        const times = Object.fromEntries(
          fieldsOf(declaration).flatMap(([name, { kind }]) =>
            kind === 'time' && body[name] ? [[name, `${TODAY}T10:00:00+09:00`]] : [],
          ),
        )
        expect((await rest('PUT', `${path}/${id}`, { ...body, ...times })).status).toBe(204)
        expect(plain(declaration, await read(id))).toEqual(plain(declaration, { ...fields, ...times }))
      }),
      RUNS,
    )
  })
})
