import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  HISTORY_KEPT,
  historyOf,
  join,
  mergeWithServer,
  registersAt,
  valuesOf,
  type Fields,
  type Registers,
} from '#sync/merge.ts'

const RUNS = { numRuns: 10_000 }
const FIELDS = ['type', 'reason1', 'reportContent'] as const

const stamp = fc.integer({ min: 0, max: 12 }).map((n) => String(n).padStart(3, '0'))
const value = fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.constant(null))
const fields = fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 3 })
/** A state that some writes led to. */
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
        for (const kept of Object.values(merged)) expect(kept.length).toBeLessThanOrEqual(HISTORY_KEPT + 1)
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

describe('[MG2][MG3] an edit over a CRM state that has moved on', () => {
  const assumed: Fields = { type: '2', reason1: '1', reportContent: 'はじめ' }
  const merge = (fresh: Fields, edited: Fields) =>
    mergeWithServer({ assumed, assumedAt: '005' }, fresh, { edited, editedAt: '009' })

  test('different fields: both stay, and only ours is sent', () => {
    const {
      fields: merged,
      changed,
      replaced,
    } = merge({ ...assumed, reason1: '4' }, { ...assumed, reportContent: 'こちらの編集' })
    expect(merged).toEqual({ type: '2', reason1: '4', reportContent: 'こちらの編集' })
    expect(changed).toEqual(['reportContent'])
    expect(replaced).toEqual([])
  })
  test('the same field: the later edit wins, and the value it replaced can be read', () => {
    const { fields: merged, replaced } = merge(
      { ...assumed, reportContent: '他社の編集' },
      { ...assumed, reportContent: 'こちらの編集' },
    )
    expect(merged.reportContent).toBe('こちらの編集')
    expect(replaced).toEqual([{ field: 'reportContent', value: '他社の編集', stamp: '005~' }])
  })
  test('the same edit on both sides is no difference', () => {
    const both = { ...assumed, reportContent: '同じ' }
    expect(merge(both, both)).toEqual({ fields: both, changed: [], replaced: [] })
  })
  test('a field set back here to what it was is no edit', () => {
    const { fields: merged, changed } = merge({ ...assumed, type: '3' }, assumed)
    expect(merged.type).toBe('3')
    expect(changed).toEqual([])
  })
  test('a server snapshot is older than an edit saved before it was seen', () => {
    const server = join(registersAt(assumed, '005'), registersAt({ type: '1' }, '005~'))
    const edited = join(server, registersAt({ type: '3' }, '006'))
    expect(valuesOf(edited).type).toBe('3')
    expect(historyOf(edited).map(({ value: old }) => old)).toEqual(['1', '2'])
  })
})
