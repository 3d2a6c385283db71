import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HISTORY_MAX, withReplaced } from '#schemas/change-history.ts'
import {
  historyOf,
  join,
  mergeWithServer,
  registersAt,
  sameValue,
  showsTheSame,
  valuesOf,
  type Fields,
  type Registers,
} from '#sync/merge/merge.ts'

const RUNS = { numRuns: 10_000 }
const FIELDS = ['type', 'reason1', 'reportContent'] as const

const stamp = fc.integer({ min: 0, max: 12 }).map((n) => String(n).padStart(3, '0'))
const value = fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.constant(null))
const fields = fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 3 })
/** The state after some writes. */
const registers = fc
  .array(fc.record({ fields, stamp }), { maxLength: 8 })
  .map((writes) =>
    writes.reduce<Registers>((state, write) => join(state, registersAt(write.fields, write.stamp)), {}),
  )

describe('[MG1] the merge is a CRDT', () => {
  test('commutative', () =>
    fc.assert(
      fc.property(registers, registers, (a, b) => {
        expect(join(a, b)).toEqual(join(b, a))
      }),
      RUNS,
    ))
  test('associative', () =>
    fc.assert(
      fc.property(registers, registers, registers, (a, b, c) => {
        expect(join(join(a, b), c)).toEqual(join(a, join(b, c)))
      }),
      RUNS,
    ))
  test('idempotent', () =>
    fc.assert(
      fc.property(registers, registers, (a, b) => {
        expect(join(a, a)).toEqual(a)
        expect(join(join(a, b), b)).toEqual(join(a, b))
      }),
      RUNS,
    ))
  test('the newest write of a field is its value, and no field loses its last one', () =>
    fc.assert(
      fc.property(registers, registers, (a, b) => {
        const merged = join(a, b)
        for (const [field, [newest]] of Object.entries(merged))
          for (const entry of [...(a[field] ?? []), ...(b[field] ?? [])])
            expect((newest?.stamp ?? '') >= entry.stamp).toBe(true)
        expect(Object.keys(merged).toSorted()).toEqual(
          [...new Set([...Object.keys(a), ...Object.keys(b)])].toSorted(),
        )
      }),
      RUNS,
    ))
  test('what a field keeps is bounded', () =>
    fc.assert(
      fc.property(fc.array(registers, { maxLength: 12 }), (states) => {
        const merged = states.reduce(join, {})
        for (const kept of Object.values(merged)) expect(kept.length).toBeLessThanOrEqual(HISTORY_MAX + 1)
      }),
      { numRuns: 1_000 },
    ))
})

test('[MG1] two devices that edit different fields under random offline lose no final field', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ device: fc.constantFrom(0, 1), online: fc.boolean(), text: fc.string() }), {
        minLength: 1_000,
        maxLength: 1_000,
      }),
      (steps) => {
        const own = ['reason1', 'reportContent'] as const
        const devices: Registers[] = [{}, {}]
        let server: Registers = {}
        const last: Record<string, string> = {}
        for (const [i, { device, online, text }] of steps.entries()) {
          const field = own[device] ?? 'reason1'
          last[field] = text
          const edit = registersAt({ [field]: text }, String(i).padStart(6, '0'))
          devices[device] = join(devices[device] ?? {}, edit)
          if (!online) continue
          server = join(server, devices[device] ?? {})
          devices[device] = server
        }
        const final = devices.reduce(join, server)
        expect(valuesOf(final)).toEqual(last)
      },
    ),
    { numRuns: 5 },
  )
})

describe('[MG3] two clients edit disjoint fields of one CRM record 1,000 times under random offline', () => {
  const OWN = [
    ['type', 'reason1'],
    ['reason2', 'reportContent'],
  ] as const
  const step = fc.record({
    device: fc.constantFrom(0, 1),
    field: fc.constantFrom(0, 1),
    text: fc.string(),
    act: fc.constantFrom('edit', 'read', 'put'),
  })

  interface Client {
    base: Fields
    baseAt: string
    edited: Fields
    editedAt: string
    /** The state read before the PUT in progress. */
    fresh: Fields | null
  }

  /** @param partial true if the CRM accepts part of a record, so that a PUT has only the changed fields */
  function lives(
    steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[],
    partial: boolean,
  ) {
    const blank: Fields = { type: null, reason1: null, reason2: null, reportContent: null }
    let crm = blank
    const last: Record<string, string> = {}
    const clients = OWN.map((): Client => ({
      base: blank,
      baseAt: '0',
      edited: blank,
      editedAt: '0',
      fresh: null,
    }))
    const put = (client: Client) => {
      const fresh = client.fresh ?? crm
      const merged = mergeWithServer(client, fresh, client)
      const sent = partial
        ? Object.fromEntries(merged.changed.map((name) => [name, merged.fields[name] ?? null]))
        : merged.fields
      crm = { ...crm, ...sent }
      Object.assign(client, {
        base: merged.fields,
        baseAt: client.editedAt,
        edited: merged.fields,
        fresh: null,
      })
    }
    for (const [i, { device, field, text, act }] of steps.entries()) {
      const client = clients[device]
      const name = OWN[device]?.[field]
      if (!client || !name) continue
      if (act === 'edit') {
        last[name] = text
        Object.assign(client, {
          edited: { ...client.edited, [name]: text },
          editedAt: String(i + 1).padStart(6, '0'),
          fresh: null,
        })
      } else if (act === 'read' && partial) client.fresh = crm
      // a PUT of the whole record follows its read at once
      else put(client)
    }
    for (const client of clients) put({ ...client, fresh: null })
    return { crm, last }
  }

  /** A blank over nothing is no edit: a CRM may store either. */
  const isKept = (text: string, stored: unknown) => showsTheSame(text, stored) || showsTheSame(stored, text)

  test.each([
    ['a CRM that takes partial PUTs, reads and PUTs in any order', true],
    ['a CRM that takes whole ones, each right after its read', false],
  ])('%s: no final field is lost', (_, partial) =>
    fc.assert(
      fc.property(fc.array(step, { minLength: 1_000, maxLength: 1_000 }), (steps) => {
        const { crm, last } = lives(steps, partial)
        for (const [name, text] of Object.entries(last)) expect(isKept(text, crm[name])).toBe(true)
      }),
      { numRuns: 20 },
    ),
  )
})

test('[MG2] the history is bounded, newest first, and says everything once', () => {
  const one = (field: string, n: number) => ({ field, value: `v${n}`, stamp: String(n).padStart(3, '0') })
  const many = Array.from({ length: 8 }, (_, n) => one('type', n))
  const kept = withReplaced(many.slice(0, 6), [...many.slice(3), one('reason1', 1)])
  const newest = many.toReversed().slice(0, HISTORY_MAX)
  expect(kept.filter(({ field }) => field === 'type')).toEqual(newest)
  expect(kept.filter(({ field }) => field === 'reason1')).toHaveLength(1)
})

test.each<[unknown, unknown, boolean]>([
  ['', null, true],
  [undefined, null, true],
  ['2026-11-20T09:00:00+09:00', '2026-11-20T00:00:00.000Z', true],
  ['2026-11-20T09:00:00+09:00', '2026-11-20T09:00:01+09:00', false],
  [['1', '2'], ['1', '2'], true],
  [['1'], ['1', '2'], false],
  ['1', 1, false],
  ['0', null, false],
])('[MG2] %j and %j are the same: %s', (a, b, same) => expect(sameValue(a, b)).toBe(same))

describe('[MG2][MG3] an edit over a CRM state that has moved on', () => {
  const base: Fields = { type: '2', reason1: '1', reportContent: 'はじめ' }
  const merge = (fresh: Fields, edited: Fields) =>
    mergeWithServer({ base, baseAt: '005' }, fresh, { edited, editedAt: '009' })

  test('different fields: both stay, and only ours is sent', () => {
    const {
      fields: merged,
      changed,
      replaced,
    } = merge({ ...base, reason1: '4' }, { ...base, reportContent: 'こちらの編集' })
    expect(merged).toEqual({ type: '2', reason1: '4', reportContent: 'こちらの編集' })
    expect(changed).toEqual(['reportContent'])
    expect(replaced).toEqual([])
  })
  test('the same field: the later edit wins, and the value it replaced can be read', () => {
    const { fields: merged, replaced } = merge(
      { ...base, reportContent: '他社の編集' },
      { ...base, reportContent: 'こちらの編集' },
    )
    expect(merged.reportContent).toBe('こちらの編集')
    expect(replaced).toEqual([{ field: 'reportContent', value: '他社の編集', stamp: '005~' }])
  })
  test('the same edit on both sides is no difference', () => {
    const both = { ...base, reportContent: '同じ' }
    expect(merge(both, both)).toEqual({ fields: both, changed: [], replaced: [] })
  })
  test('a field set back here to what it was is no edit', () => {
    const { fields: merged, changed } = merge({ ...base, type: '3' }, base)
    expect(merged.type).toBe('3')
    expect(changed).toEqual([])
  })
  test('a server snapshot is older than an edit saved before it was seen', () => {
    const server = join(registersAt(base, '005'), registersAt({ type: '1' }, '005~'))
    const edited = join(server, registersAt({ type: '3' }, '006'))
    expect(valuesOf(edited).type).toBe('3')
    expect(historyOf(edited).map(({ value: old }) => old)).toEqual(['1', '2'])
  })
})
