/**
 * What must hold of every declared resource (decisions/resources). The loop is over the table of declarations: one that
 * is new there is covered by itself. Values are made from the declaration's own limits and code tables.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AnyChange, PushableRecord } from '#schemas/change.ts'
import type { ContentOf, Declaration } from '#schemas/declare/declare.ts'
import { declared } from '#schemas/collections/declared.ts'
import { draftOf, wireOf } from '#schemas/declare/derive.ts'
import { contentOfDraft, emptyContent, inputOf } from '#schemas/declare/form-values.ts'
import { listOwners } from '#schemas/collections/prefetch.ts'
import { pushResources } from '#sync/resources/resource-table.ts'
import { bodyOf, isOurs, serverFromWire } from '#sync/wire/declared.ts'
import { another, content, fieldsOf, filledIn, plain, rewritten } from '../../support/declared-values.ts'

const RUNS = { numRuns: 1_000 }
const ROWS = Object.entries<Declaration>(declared)
const RECORD: PushableRecord & Record<string, unknown> = {
  key: 'k',
  requestId: 'r1',
  workingDate: '2026-11-20',
  workingDateType: '1',
  contactType: '02',
  safetyType: '3',
  locationAreaId: 'a1',
  noteType: '1',
  loginUserId: 'ss-1',
  serverId: '',
  changes: [],
  unsent: 'yes',
}
const NAMES = { requestId: 'r1', workingDate: '2026-11-20', safetyType: '3', loginUserId: 'ss-1' }

/** The row that a CRM returns for this body, with fields that the app does not know. */
function rowOf(declaration: Declaration, body: Record<string, unknown>): Record<string, unknown> {
  const told = Object.keys(declaration.crmOnlyFields).map((name) => [name, null])
  const fields = fieldsOf(declaration).map(([name, { responseName = name }]) => [responseName, body[name]])
  return { ...Object.fromEntries(told), ...NAMES, ...Object.fromEntries(fields), id: 'x1', quirk: [1] }
}

describe.each(ROWS)('[PL2][OC3] %s', (collection, declaration) => {
  const wire = wireOf(declaration)
  const resource = pushResources[collection as keyof typeof declared]
  const sent = (fields: ContentOf<Declaration>) => bodyOf(declaration, 'create', RECORD, fields, 'ss-1')

  test('[WR1] what is saved is what is read back', () => {
    fc.assert(
      fc.property(content(declaration), (fields) => {
        const row = wire.assert(rowOf(declaration, sent(fields)))
        const server = serverFromWire(declaration, row)
        expect(plain(declaration, server)).toEqual(plain(declaration, fields))
      }),
      RUNS,
    )
  })

  test('[OC3] a row of what was sent is ours, and one that differs in any field of its identity is not', () => {
    const { identity } = declaration
    const counts = fieldsOf(declaration).filter(
      ([name]) => identity.content === 'all' || identity.content.includes(name),
    )
    fc.assert(
      fc.property(content(declaration), fc.nat(), (fields, which) => {
        const row = rowOf(declaration, sent(fields))
        expect(isOurs(declaration, RECORD, fields, wire.assert(row))).toBe(true)
        const found = counts[which % Math.max(1, counts.length)]
        if (!found) return
        const [name, field] = found
        const other = {
          ...row,
          [field.responseName ?? name]: another(field, row[field.responseName ?? name]),
        }
        expect([name, isOurs(declaration, RECORD, fields, wire.assert(other))]).toEqual([name, false])
      }),
      RUNS,
    )
  })

  test('[OC3] a row is ours however the CRM writes down what it was sent', () => {
    fc.assert(
      fc.property(content(declaration), fc.nat(), (fields, how) => {
        const row = rowOf(declaration, sent(fields))
        const written = fieldsOf(declaration).map(([name, field]) => {
          const answered = field.responseName ?? name
          return [answered, rewritten(field, row[answered], how)]
        })
        const read = wire.assert({ ...row, ...Object.fromEntries(written) })
        expect(isOurs(declaration, RECORD, fields, read)).toBe(true)
      }),
      RUNS,
    )
  })

  test('[OC3] a row of somebody else’s is not ours', () => {
    for (const name of [...declaration.identity.required, ...declaration.identity.ifReturned]) {
      const fields = emptyContent(declaration)
      const row = { ...rowOf(declaration, sent(fields)), [name]: name === 'workingDate' ? '2026-11-21' : '9' }
      expect([name, isOurs(declaration, RECORD, fields, wire.assert(row))]).toEqual([name, false])
    }
  })

  test('[MG3] what was read goes back whole', () => {
    fc.assert(
      fc.property(content(declaration), (fields) => {
        const row = rowOf(declaration, sent(fields))
        const again = bodyOf(
          declaration,
          'edit',
          RECORD,
          serverFromWire(declaration, wire.assert(row)),
          'ss-1',
        )
        const moment = (kind: string, value: unknown) => (kind === 'time' ? Date.parse(String(value)) : value)
        for (const [name, { kind, responseName = name }] of fieldsOf(declaration))
          expect({ [name]: moment(kind, again[name]) }).toEqual({ [name]: moment(kind, row[responseName]) })
      }),
      RUNS,
    )
  })

  test.each(['create', 'edit'] as const)(
    '[contract 2] of whose it is nothing is sent as an empty text: %s',
    (call) => {
      const nobodys = { ...RECORD, requestId: '', workingDate: '' }
      const body = bodyOf(declaration, call, nobodys, emptyContent(declaration), 'ss-1')
      const whose = Object.keys(declaration.sends[call] ?? {}).map((name) => [name, body[name]])
      expect(whose.filter(([, value]) => value === '')).toEqual([])
    },
  )

  test('[contract 2] a row with fields that nobody knows, or without those that may be absent, is read', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 12 }), fc.jsonValue()), (unknown) => {
        const row = wire.assert({ ...unknown, ...NAMES, id: 7 })
        expect(Object.keys(serverFromWire(declaration, row)).toSorted()).toEqual(
          [
            ...Object.keys(declaration.fields),
            ...Object.keys(declaration.crmOnlyFields),
            'id',
            'detailed',
          ].toSorted(),
        )
      }),
      RUNS,
    )
  })

  test('[EX2] what the CRM holds after it accepted is what was sent', () => {
    const kind = declaration.kinds[0] ?? ''
    fc.assert(
      fc.property(content(declaration), (fields) => {
        const change: AnyChange = { ...CHANGE, kind, fields }
        const record = { ...RECORD, changes: [change] }
        const server = resource.serverAfter({ record, change } as never, { id: 'x1' }, '2')
        const told = kind === 'entry' ? ['inTime'] : Object.keys(declaration.fields)
        const [is, was] = [plain(declaration, server), plain(declaration, fields)]
        for (const name of told) expect({ [name]: is[name] }).toEqual({ [name]: was[name] })
      }),
      RUNS,
    )
  })

  test('[contract 4] the call goes to the declared address, with every declared field of its body', () => {
    const { create, edit } = declaration.sends
    if (!create) return
    const change: AnyChange = { ...CHANGE, kind: 'create', fields: emptyContent(declaration) }
    const made = resource.plan({ record: RECORD, change } as never, [], 'ss-1')
    expect(made?.call).toMatchObject({ method: 'POST', path: `${declaration.path}/`, idempotencyKey: 'c1' })
    const names = [...Object.keys(create), ...Object.keys(declaration.fields), 'loginUserId']
    expect(Object.keys(made?.call.body ?? {}).toSorted()).toEqual(names.toSorted())
    const there = { ...RECORD, serverId: 'x1' }
    const put = resource.plan({ record: there, change: { ...change, kind: 'edit' } } as never, [], 'ss-1')
    expect(put?.call.path).toBe(edit ? `${declaration.path}/x1` : undefined)
    expect(resource.edits !== undefined).toBe(edit !== null)
    expect(resource.refusesSecond).toBe(declaration.refusesSecond)
  })

  test('[spec 5] a text of its limit is taken, one more character is not; nothing chosen is refused where required', () => {
    const draft = draftOf(declaration)
    const whole = Object.fromEntries(
      fieldsOf(declaration).flatMap(([name, field]) => (field.from ? [] : [[name, filledIn(field)]])),
    )
    expect(draft.allows(whole)).toBe(true)
    for (const [name, field] of fieldsOf(declaration)) {
      if (field.from) continue
      const takes = (value: unknown) => draft.allows({ ...whole, [name]: value })
      expect([name, 'empty', takes(field.kind === 'codes' ? [] : '')]).toEqual([
        name,
        'empty',
        !('required' in field),
      ])
      if (field.kind === 'text') {
        expect([name, 'at its limit', takes(filledIn(field, field.max))]).toEqual([
          name,
          'at its limit',
          true,
        ])
        expect([name, 'one over', takes(filledIn(field, field.max + 1))]).toEqual([name, 'one over', false])
      } else expect([name, takes(field.kind === 'codes' ? ['?'] : '?')]).toEqual([name, false])
    }
  })

  test('[spec 5] a form that was opened and saved says what the record said', () => {
    fc.assert(
      fc.property(content(declaration), (fields) => {
        const saved = contentOfDraft(declaration, inputOf(declaration, fields) as never)
        for (const name of Object.keys(saved))
          expect({ [name]: Reflect.get(saved, name) }).toEqual({ [name]: fields[name] })
      }),
      RUNS,
    )
  })
})

const CHANGE = { id: 'c1', stamp: '1', savedAt: '2026-11-20T00:00:00Z', userId: 'u', offline: false }

describe('the names of what is declared, and whose it is (decisions/resources)', () => {
  test('a collection is its slug’s plural, and an address below the CRM is no other’s', () => {
    for (const [name, { slug }] of ROWS) expect(name).toBe(`${slug}s`)
    expect(new Set(ROWS.map(([, { path }]) => path)).size).toBe(ROWS.length)
  })

  test('whose the lists are', () => {
    const request = { id: 'r1', key: 'r1_2026-11-20', locationAreaId: 'a1', detail: { devices: [] } } as never
    const owners = { requestId: 'r1', visit: 'r1_2026-11-20', locationAreaId: 'a1' }
    const listed = ROWS.flatMap(([name, { owner }]) => (owner ? [[name, [owners[owner]]]] : []))
    const said = Object.entries(listOwners).map(([name, ownersOf]) => [name, ownersOf(request)])
    expect(Object.fromEntries(said)).toEqual({ ...Object.fromEntries(listed), pastReports: [] })
  })
})
