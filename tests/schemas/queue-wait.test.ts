/** The reason why the queue waits, from the last answers in the stored send states. */
import { expect, test } from 'vitest'
import { PAUSED, queueOf, queueWait, type QueueWait } from '#schemas/changes/change-queue.ts'
import type { SendFacts } from '#schemas/change.ts'
import { ledgerEntry, quickReportChange, quickReportRecord } from '../support/device-records.ts'

const change = quickReportChange('entry', '08:56')

/** The reason for a queue of records with one change each. @param entries the stored send state of each change */
function waitOf(...entries: (Partial<SendFacts> | null)[]) {
  const made = entries.map((over, index) => {
    const own = { ...change, id: `c${index}`, stamp: `${index}` }
    const record = quickReportRecord(`${index}`, [own])
    return { record, entry: over && ledgerEntry(record, own, over) }
  })
  const progress = new Map(made.flatMap(({ entry }) => (entry ? [[entry.id, entry]] : [])))
  return queueWait(
    queueOf(
      made.map(({ record }) => ({ resource: 'quickReports', ...record })),
      progress,
    ),
  )
}

test.each<[Partial<SendFacts> | null, QueueWait | null]>([
  [null, null],
  [{ state: 'waiting', status: 0 }, null],
  [{ state: 'unknown', status: 0 }, null],
  [{ state: 'waiting', status: 401 }, null],
  [{ state: 'waiting', status: 498 }, null],
  [{ state: 'waiting', status: 429 }, 'busy'],
  [{ state: 'waiting', status: 503 }, 'unavailable'],
  [{ state: 'unknown', status: 503 }, 'unavailable'],
  [{ state: 'unknown', status: 500 }, 'silent'],
  [{ state: 'unknown', status: 502 }, 'silent'],
  [{ state: 'unknown', status: 404 }, 'silent'],
  [{ state: 'unknown', status: 200 }, 'silent'],
  // The item is sent again. Until that call ends, the last answer counts.
  [{ state: 'sending', status: 500 }, 'silent'],
  [{ state: 'waiting', status: 403, reasons: [PAUSED] }, 'paused'],
  [{ state: 'refused', status: 500, reasons: ['systemError'] }, null],
  [{ state: 'expired', status: 500 }, null],
  [{ state: 'accepted', status: 500 }, null],
])('[ST3] %j: %s', (entry, wait) => {
  expect(waitOf(entry)).toBe(wait)
})

test('[ST3] the first one that was tried and has not gone says why', () => {
  const entries = [{ state: 'refused', status: 400 }, null, { state: 'unknown', status: 502 }] as const
  expect(waitOf(...entries, { state: 'waiting', status: 429 })).toBe('silent')
})
