/** Cases of the documents that a list read from the CRM changes (RULES PL1, PL3). */
import { describe, expect, test } from 'vitest'
import type { AnyChange, Change } from '#schemas/change.ts'
import { type LocalRecord, mergeRows, type PulledRow } from '#sync/merge/merge-rows.ts'

type Row = LocalRecord & { name?: string }

const change = (id: string, kind: AnyChange['kind'] = 'create', facts: Partial<Change> = {}) =>
  ({
    ...{ id, kind, stamp: id, userId: 'u', savedAt: '', fields: { name: 'x' } },
    ...{ state: 'waiting', serverErrors: 0, ...facts },
  }) as unknown as AnyChange
/** A record that was read from the CRM. */
const held = (key: string, serverId: string, stamp = '1', name = 'x', changes: AnyChange[] = []): Row => ({
  key,
  serverId,
  changes,
  name,
  server: { stamp, detailed: true },
})
/** A record that exists only as changes of this device. */
const saved = (key: string, ...changes: AnyChange[]): Row => ({ key, serverId: '', changes })
const row = (id: string, key = id, more: Partial<PulledRow<Row>> = {}): PulledRow<Row> => ({
  id,
  key,
  record: (local, stamp) => ({
    ...(local ?? { changes: [] }),
    ...held(local?.key ?? key, id, stamp),
    changes: local?.changes ?? [],
  }),
  ...more,
})
const merge = (
  rows: PulledRow<Row>[],
  local: Row[],
  more: Partial<Parameters<typeof mergeRows<Row>>[0]> = {},
) =>
  mergeRows<Row>({
    resource: 'safetyMeasures',
    rows,
    local,
    skippedIds: [],
    stamp: '5',
    completeAsOf: '5',
    isNeeded: () => false,
    isStored: () => true,
    loginUserId: 'u',
    ...more,
  })
const told = (docs: ReturnType<typeof merge>) =>
  docs.map(({ key, _deleted }) => (_deleted ? `-${key}` : `+${key}`))

describe('[PL3] which record a row is', () => {
  test('a new one gets its key, and the stamp of the read', () => {
    expect(merge([row('a')], [])).toEqual([{ ...held('a', 'a', '5'), _deleted: false }])
  })
  test('the one that holds its id, before the one of its key', () => {
    expect(
      told(
        merge([row('a', 'k')], [held('k', 'other'), held('mine', 'a', '1', 'old')], { completeAsOf: null }),
      ),
    ).toEqual(['+mine'])
  })
  test('of two that hold its id the one made here; the other goes once nothing hangs on it', () => {
    const twice = [held('a', 'a', '1', 'old'), held('mine', 'a', '1', 'old')]
    expect(told(merge([row('a')], twice))).toEqual(['+mine', '-a'])
    expect(told(merge([row('a')], twice, { isNeeded: ({ key }) => key === 'a' }))).toEqual(['+mine'])
  })
  test('else the one of its key, whose changes stay', () => {
    const mine = saved('k', change('c'))
    const [doc] = merge([row('a', 'k')], [mine])
    expect(doc).toMatchObject({ key: 'k', serverId: 'a', changes: mine.changes })
  })
  test('one that was confirmed after the read stays as it is', () => {
    expect(merge([row('a')], [held('a', 'a', '6', 'new')])).toEqual([])
    expect(told(merge([row('a')], [held('a', 'a', '5', 'old')]))).toEqual(['+a'])
  })
  test('[PL5] what differs in its stamp alone is not written', () => {
    expect(merge([row('a')], [held('a', 'a', '1')])).toEqual([])
    expect(told(merge([row('a')], [held('a', 'a', '1', 'old')]))).toEqual(['+a'])
  })
  test('[PL1] what differs in the CRM’s state alone is written', () => {
    const summary = { ...held('a', 'a'), server: { stamp: '1', detailed: false } }
    const { server: _, ...without } = held('a', 'a')
    for (const local of [summary, without]) expect(told(merge([row('a')], [local]))).toEqual(['+a'])
  })
  test('is written where only the result of what was saved here says the same, and its document is older', () => {
    expect(told(merge([row('a')], [held('a', 'a', '1')], { isStored: () => false }))).toEqual(['+a'])
  })
  test('[PL5] what only comes from the CRM is compared, too', () => {
    const plain: Row = { key: 'a', name: 'x' }
    const same = row('a', 'a', { record: () => ({ key: 'a', name: 'x' }) })
    expect(merge([same], [plain])).toEqual([])
    expect(told(merge([same], [{ ...plain, name: 'y' }]))).toEqual(['+a'])
  })
})

describe('[PL1] what the CRM no longer has', () => {
  test('goes, where the list is complete', () => {
    expect(told(merge([], [held('a', 'a')]))).toEqual(['-a'])
    expect(merge([], [held('a', 'a')], { completeAsOf: null })).toEqual([])
  })
  test('goes as it was, marked as deleted', () => {
    expect(merge([], [held('a', 'a')])).toEqual([{ ...held('a', 'a'), _deleted: true }])
  })
  test.each<[string, Row, Partial<Parameters<typeof mergeRows<Row>>[0]>]>([
    ['something unsent hangs on it', held('a', 'a'), { isNeeded: () => true }],
    ['it has something unsent itself', held('a', 'a', '1', 'x', [change('c')]), {}],
    ['it was never in the CRM', saved('a'), {}],
    ['it was confirmed when the list was read', held('a', 'a', '5'), {}],
    ['[PL2] its row could not be read', held('k', 'a'), { skippedIds: ['a'] }],
    ['[PL2] a row of a list without ids could not be read', { key: 'a' }, { skippedIds: ['b'] }],
  ])('stays, where %s', (_, record, more) => {
    expect(merge([], [record], more)).toEqual([])
  })
  test('goes by its key, where it only comes from the CRM', () => {
    expect(told(merge([row('a')], [{ key: 'a', name: 'x' }, { key: 'b' }]))).toEqual(['+a', '-b'])
  })
  test('a record without an id goes, too', () => {
    const { serverId: _, ...without } = held('a', '')
    expect(told(merge([row('b')], [without]))).toEqual(['+b', '-a'])
  })
})

describe('[PL3] a row that is just being made', () => {
  const ours = row('a', 'a', { isOf: () => true })
  const others = row('a', 'a', { isOf: () => false })
  const making = (facts: Partial<Change> = {}, kind?: AnyChange['kind']) => [
    saved('k', change('c', kind, facts)),
  ]

  test.each<[string, Partial<Change>]>([
    ['its call is under way', { state: 'sending' }],
    ['nobody knows how its call ended', { state: 'unknown' }],
    ['a 5xx may have made it', { state: 'refused', serverErrors: 1 }],
  ])('waits while %s', (_, facts) => {
    expect(merge([ours], making(facts))).toEqual([])
    expect(told(merge([others], making(facts)))).toEqual(['+a'])
    expect(told(merge([row('a')], making(facts)))).toEqual(['+a'])
  })
  test.each(['waiting', 'refused', 'expired'] as const)('does not wait where its change is %s', (state) => {
    expect(told(merge([ours], making({ state })))).toEqual(['+a'])
  })
  test('does not wait for an edit', () => {
    expect(told(merge([ours], making({ state: 'sending' }, 'edit')))).toEqual(['+a'])
  })
  test('does not wait for what only comes from the CRM', () => {
    expect(told(merge([ours], [{ key: 'z' }], { completeAsOf: null }))).toEqual(['+a'])
  })
})

describe('[PL3] a record that was pulled beside the one made here', () => {
  const made = held('mine', 'a')
  const pulled = held('a', 'a')

  test('goes, and the one made here is the row', () => {
    expect(told(merge([row('a')], [pulled, { ...made, name: 'old' }]))).toEqual(['+mine', '-a'])
  })
  test('goes also where the list is not complete', () => {
    expect(told(merge([], [made, pulled], { completeAsOf: null }))).toEqual(['-a'])
  })
  test('goes once, also where the CRM no longer has the record', () => {
    expect(told(merge([], [made, pulled]))).toEqual(['-mine', '-a'])
  })
  test.each<[string, Row[]]>([
    ['it is alone', [pulled]],
    ['the other holds another id', [pulled, held('mine', 'b')]],
    ['something unsent is in it', [{ ...pulled, changes: [change('c', 'edit')] }, made]],
    ['it has a key of its own', [held('k', 'a'), made]],
  ])('stays where %s', (_, local) => {
    expect(merge([], local, { completeAsOf: null })).toEqual([])
  })
})
