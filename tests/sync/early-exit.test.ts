/** Two tabs send at once: what the other has just written is heard of a moment late (decisions/proof). */
import { expect, test } from 'vitest'
import { blankLedgerEntry, queueOf, type PendingRecord } from '#schemas/change-queue.ts'
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import type { Ledger } from '#sync/queue/ledger.ts'
import type { QueueStore } from '#sync/queue/queue-store.ts'
import { createSender } from '#sync/queue/sender.ts'
import type { Api } from '#sync/transport/api.ts'

const change = (id: string, kind: string, stamp: string) => ({
  id,
  kind,
  stamp,
  savedAt: '2026-11-20T01:00:00.000Z',
  userId: 'u1',
  offline: false,
  fields: {},
})

type Heard = Map<string, LedgerEntry>

/** One drain of a record. @param heard what the ledger says when it is read for its rows, in turn; nothing after that */
async function drainOf(record: PendingRecord, heard: Heard[]): Promise<string[]> {
  const read = async (ids?: readonly string[]) => (ids && heard.shift()) ?? new Map<string, LedgerEntry>()
  const ledger = {
    read,
    readThrough: read,
    begin: async () => true,
    put: async () => undefined,
  } satisfies Partial<Ledger>
  const store = {
    name: 'db',
    ledger,
    within: () => store,
    pending: async () => [record],
    record: async () => record,
  } as unknown as QueueStore
  const calls: string[] = []
  const call = async ({ path }: { path: string }) => {
    calls.push(path)
    return { kind: 'unreachable' as const }
  }
  const api = { read: call, write: call } as unknown as Api
  const sender = createSender({
    store,
    api,
    locks: { request: (_, run) => run({ allows: () => true }) },
    clock: { now: () => Date.parse('2026-11-20T01:00:00Z'), stamp: () => '3' },
    elapsed: () => 0,
    limitMs: 0,
    wake: () => undefined,
    userId: 'u1',
    loginUserId: 'u1',
  })
  await sender.drain()
  return calls
}

const visit = (...changes: PendingRecord['changes']): PendingRecord => ({
  resource: 'quickReports',
  key: 'r1_2026-11-20',
  requestId: 'r1',
  workingDate: '2026-11-20',
  serverId: 'qr1',
  changes,
  unsent: 'yes',
})

/** The row of its first change. */
function told(record: PendingRecord, state: LedgerEntry['state']): Heard {
  const [item] = queueOf([record], new Map())
  if (!item) throw new Error('no item')
  return new Map([[item.change.id, { ...blankLedgerEntry(item), state }]])
}

test('[OR2] an exit does not go while the other tab is still at the entry it hangs on', async () => {
  const record = visit(change('entry', 'entry', '1'), change('exit', 'exit', '2'))
  // before its turn the entry was refused; this tab hears of that after the exit's turn
  const heard = [told(record, 'refused'), told(record, 'sending')]
  expect(await drainOf(record, heard)).toEqual([])
  expect(heard).toEqual([])
})

test('[OR3] what the other tab has refused does not leave again, though this one hears of it late', async () => {
  const record = visit(change('entry', 'entry', '1'))
  const heard = [told(record, 'waiting'), told(record, 'refused')]
  expect(await drainOf(record, heard)).toEqual([])
  expect(heard).toEqual([])
})
