/**
 * The view of a record is a fold of its document and its changes (decisions/records). The law: whatever is saved, sent,
 * refused, discarded and read, and in whatever order the writes reach the disk, the view equals a model with one record,
 * into which each acceptance and each read is written at once.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blankFacts, settledWith, effectiveChanges } from '#schemas/changes/change-queue.ts'
import type { Change, PushableRecord, StoredRecord } from '#schemas/change.ts'
import { ownOf, recordView, recordViews, storedOf } from '#schemas/changes/record-view.ts'

const RECORD = { resource: 'emergencyReports', key: 'k', requestId: 'r', workingDate: '2026-11-20' }
const stampOf = (n: number) => String(n).padStart(4, '0')

const saved = (n: number, kind: string, note: string, more: Partial<Change> = {}): Change => {
  const base = { id: `c${n}`, stamp: stampOf(n), savedAt: '2026-11-20T01:00:00.000Z', kind }
  return {
    ...base,
    ...blankFacts({ record: RECORD, change: base }),
    userId: 'u',
    offline: false,
    fields: { note },
    own: {},
    ...more,
  }
}
const server = (n: number, note: string) => ({ id: 's', note, stamp: stampOf(n) })
const document = (n: number, note: string): StoredRecord =>
  ({
    key: 'k',
    requestId: 'r',
    workingDate: '2026-11-20',
    serverId: 's',
    server: server(n, note),
  }) as StoredRecord
const noteOf = (view: PushableRecord | null) => (view?.server as { note: string } | undefined)?.note

describe('a record is folded from its document and its changes', () => {
  test('nothing of both is nothing', () => expect(recordView(null, [])).toBeNull())

  test('a record that only a change tells of is as that says', () => {
    const view = recordView(null, [saved(1, 'create', 'a', { own: { contactType: '02' } })])
    const { key, requestId, workingDate } = RECORD
    const told = { key, requestId, workingDate, contactType: '02', serverId: '', unsent: 'yes' }
    expect(view).toEqual({ ...told, changes: [saved(1, 'create', 'a', { own: { contactType: '02' } })] })
  })

  test('one that was accepted, and not read since, is in the CRM', () => {
    const accepted = saved(1, 'create', 'a', { state: 'accepted', result: server(2, 'a') })
    expect(recordView(null, [accepted])).toMatchObject({ serverId: 's', unsent: 'no', changes: [] })
  })

  test('what was accepted and is not in the CRM any more is nothing', () =>
    expect(recordView(null, [saved(1, 'create', 'a', { state: 'accepted' })])).toBeNull())

  test('what was discarded, and was in the CRM all the same, is not what the record shows', () => {
    const discarded = saved(3, 'edit', 'b', { state: 'discarded', result: server(5, 'b') })
    expect(noteOf(recordView(document(4, 'a'), [discarded]))).toBe('a')
  })

  test('a read of the moment of the answer is the newer one', () => {
    const accepted = saved(3, 'edit', 'b', { state: 'accepted', result: server(5, 'b') })
    expect(noteOf(recordView(document(5, 'c'), [accepted]))).toBe('c')
  })

  test('changes come in the order of saving, as they are stored', () => {
    const [first, second] = [saved(3, 'edit', 'b'), saved(5, 'edit', 'c')]
    const { changes = [] } = recordView(document(1, 'a'), [second, first]) ?? {}
    expect(changes).toHaveLength(2)
    for (const [at, change] of [first, second].entries()) expect(changes[at]).toBe(change)
  })

  test('a read that began before the answer, and ended after it, changes nothing', () => {
    const accepted = saved(3, 'edit', 'b', { state: 'accepted', result: server(5, 'b') })
    expect(noteOf(recordView(document(4, 'a'), [accepted]))).toBe('b')
    expect(noteOf(recordView(document(6, 'c'), [accepted]))).toBe('c')
  })

  test('an edit that was accepted after another was saved is what that is made on', () => {
    const sent = saved(3, 'edit', 'b', { state: 'accepted', result: server(5, 'b') })
    const open = saved(4, 'edit', 'c', { madeOn: { stamp: stampOf(1), fields: { note: 'a' } } })
    expect(recordView(document(1, 'a'), [sent, open])?.changes[0]?.madeOn).toEqual({
      stamp: stampOf(3),
      fields: { note: 'b' },
    })
  })

  test('one that was accepted before it was saved says nothing of that: its form may not have shown it', () => {
    const sent = saved(3, 'edit', 'b', { state: 'accepted', result: server(4, 'b') })
    const base = { stamp: stampOf(1), fields: { note: 'a' } }
    const open = saved(5, 'edit', 'c', { madeOn: base })
    expect(recordView(document(1, 'a'), [sent, open])?.changes[0]).toBe(open)
  })

  test('what others changed and what edits here replaced are one history', () => {
    const entry = { field: 'note', value: 'theirs', stamp: stampOf(2) }
    const edit = saved(3, 'edit', 'b', { state: 'accepted', result: server(5, 'b'), replaced: [entry] })
    const earlier = { ...entry, value: 'first', stamp: stampOf(1) }
    const historyOf = (history?: (typeof entry)[]) =>
      recordView({ ...document(1, 'a'), ...(history && { history }) }, [edit, saved(4, 'edit', 'c')])?.history
    expect(historyOf([entry])).toEqual([entry])
    expect(historyOf()).toEqual([entry])
    expect(historyOf([earlier])).toEqual(expect.arrayContaining([entry, earlier]))
  })

  test('where nothing was replaced, the history is that of the document, or there is none', () => {
    const history = [{ field: 'note', value: 'theirs', stamp: stampOf(2) }]
    expect(recordView({ ...document(1, 'a'), history }, [])?.history).toBe(history)
    expect(recordView(document(1, 'a'), [saved(3, 'edit', 'b')])).not.toHaveProperty('history')
  })

  test('records of a collection do not mix', () => {
    const other = { ...saved(2, 'edit', 'x'), recordKey: 'other' }
    const gone = { ...saved(2, 'edit', 'x', { state: 'discarded' }), recordKey: 'gone' }
    const read = { ...document(1, 'd'), key: 'read' }
    const changes = [saved(3, 'edit', 'b'), other, gone, saved(4, 'edit', 'c')]
    const views = recordViews([document(1, 'a'), read], changes)
    expect([...views.keys()].toSorted()).toEqual(['k', 'other', 'read'])
    expect(views.get('k')?.changes.map(({ id }) => id)).toEqual(['c3', 'c4'])
    expect(views.get('read')).toEqual({ ...read, changes: [], unsent: 'no' })
    expect([...views.values()].map(noteOf)).toEqual(['a', 'd', undefined])
  })

  test('a view without its changes is what is stored; what only its kind has is told apart', () => {
    const stored = { ...document(1, 'a'), history: [], contactType: '02' }
    const view = recordView(stored, [saved(3, 'edit', 'b')])
    expect(view && storedOf(view)).toEqual(stored)
    expect(ownOf({ ...view, ...stored })).toEqual({ contactType: '02' })
  })
})

type Act =
  | { kind: 'save' }
  | { kind: 'accept' | 'refuse' | 'discard'; nth: number }
  | { kind: 'readBegins' | 'readEnds' }

const act = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Act>({ kind: 'save' }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom<'accept' | 'refuse' | 'discard'>('accept', 'accept', 'refuse', 'discard'),
      nth: fc.nat(5),
    }),
  },
  { weight: 2, arbitrary: fc.constantFrom<Act>({ kind: 'readBegins' }, { kind: 'readEnds' }) },
)

/** The model: document and changes in one record, into which acceptances and reads are written. */
interface Whole {
  server?: { id: string; note: string; stamp: string }
  changes: { id: string; kind: string; stamp: string; note: string }[]
}

class World {
  private now = 0
  private reading: { stamp: string; note: string } | null = null
  /** The note that the CRM has; null before the first acceptance. */
  private crm: string | null = null
  readonly whole: Whole = { changes: [] }
  private stored: StoredRecord | null = null
  private changes = new Map<string, Change>()

  private stamp = () => stampOf((this.now += 1))
  view = () => recordView(this.stored, [...this.changes.values()])

  apply(act: Act): void {
    switch (act.kind) {
      case 'save':
        return this.save()
      case 'readBegins':
        if (this.crm !== null) this.reading = { stamp: this.stamp(), note: this.crm }
        return
      case 'readEnds':
        return this.readEnds()
      default: {
        const open = effectiveChanges(this.whole.changes)
        const one = open[act.nth % Math.max(1, open.length)]
        if (one) this.end(act.kind, one.id)
      }
    }
  }

  private save(): void {
    const kind = this.crm === null && this.whole.changes.length === 0 ? 'create' : 'edit'
    const stamp = this.stamp()
    const change = saved(this.now, kind, `note ${this.now}`)
    this.changes.set(change.id, change)
    this.whole.changes.push({ id: change.id, kind, stamp, note: `note ${this.now}` })
  }

  private end(how: 'accept' | 'refuse' | 'discard', id: string): void {
    const change = this.changes.get(id)
    const own = this.whole.changes.find((each) => each.id === id)
    if (!change || !own) return
    if (how === 'refuse') return void this.changes.set(id, { ...change, state: 'refused' })
    if (how === 'discard') {
      this.changes.set(id, { ...change, state: 'discarded' })
      this.whole.changes = this.whole.changes.filter((each) => each.id !== id)
      return
    }
    if (own.kind === 'edit' && this.crm === null) return
    this.crm = own.note
    const result = { id: 's', note: own.note, stamp: this.stamp() }
    const covered = settledWith(this.whole.changes, own)
    for (const each of covered) this.changes.delete(each.id)
    this.changes.set(id, { ...change, state: 'accepted', result })
    this.whole.server = result
    this.whole.changes = this.whole.changes.filter((each) => each.id !== id && !covered.includes(each))
  }

  private readEnds(): void {
    const { reading } = this
    this.reading = null
    if (!reading) return
    // The document is written even if a change was accepted during the read.
    this.stored = document(Number(reading.stamp), reading.note)
    if ((this.whole.server?.stamp ?? '') < reading.stamp) this.whole.server = { id: 's', ...reading }
  }
}

test('[MG2] [PL3] whatever is saved, sent and read, a screen shows what one record of both would show', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
      const world = new World()
      for (const each of acts) {
        world.apply(each)
        const { whole } = world
        const view = world.view()
        expect(noteOf(view)).toBe(whole.server?.note)
        expect(view?.changes.map(({ id }) => id) ?? []).toEqual(whole.changes.map(({ id }) => id))
        expect(view?.serverId ?? '').toBe(whole.server ? 's' : '')
      }
    }),
    { numRuns: 500 },
  )
})
