/** What becomes of a ledger's row: the table, and random days of one row on the ledger itself. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blankLedgerEntry, queueOf } from '#schemas/changes/change-queue.ts'
import type { LedgerState } from '#schemas/changes/ledger-entry.ts'
import { createLedger } from '#sync/changes/ledger.ts'
import { afterEvent, LEDGER_TABLE, type LedgerEvent } from '#schemas/send-state.ts'
import { Disk } from '../../simulate/disk.ts'
import { modelDb } from '../../simulate/model-db.ts'

const EVENTS: LedgerEvent[] = [
  'began',
  'accepted',
  'refused',
  'expired',
  'lost',
  'held',
  'crashed',
  'resent',
  'resentInDoubt',
  'discarded',
]
const STATES = Object.keys(LEDGER_TABLE) as LedgerState[]

const events = fc.array(fc.constantFrom(...EVENTS), { maxLength: 30 })

/** The states that a row goes through. */
function walk(told: readonly LedgerEvent[]): LedgerState[] {
  let state: LedgerState = 'waiting'
  return told.map((event) => (state = afterEvent(state, event) ?? state))
}

describe('the table', () => {
  test('[OC1] is the one in RULES.md', () => {
    const rules = readFileSync('sync/RULES.md', 'utf8')
    const rows = rules.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
    const head = rows.find((cells) => cells.includes('`waiting`') && cells.includes('`sending`')) ?? []
    const states = head.slice(2, -1).map((cell) => cell.replaceAll('`', ''))
    expect(states.toSorted()).toEqual(STATES.toSorted())
    for (const event of EVENTS) {
      const row = rows.find((cells) => cells[1]?.startsWith(`\`${event}\``)) ?? []
      const written = Object.fromEntries(states.map((state, index) => [state, row[index + 2]]))
      const shipped = states.map((state) => [state, afterEvent(state as LedgerState, event) ?? ''])
      expect({ event, ...written }).toEqual({ event, ...Object.fromEntries(shipped) })
    }
  })

  test('[OC1][SV2] what was accepted is left by nothing, what was discarded only by the word that it is there', () => {
    fc.assert(
      fc.property(events, (told) => {
        const states = walk(told)
        const since = states.indexOf('accepted')
        if (since >= 0) expect(new Set(states.slice(since))).toEqual(new Set(['accepted']))
        for (const [index, state] of states.entries())
          if (states[index - 1] === 'discarded') expect(['discarded', 'accepted']).toContain(state)
      }),
    )
  })

  test('[OC3] what may have arrived is not sent again as if it had never left', () => {
    fc.assert(
      fc.property(events, (told) => {
        const states = walk(told)
        for (const [index, state] of states.entries()) {
          if (state === 'waiting' && states[index - 1] === 'unknown') throw new Error(told.join())
          if (state === 'waiting' && states[index - 1] === 'sending') expect(told[index]).toBe('held')
        }
      }),
    )
  })

  test('[OR3][EX2] 失敗 and 期限切れ are left by a person, or by the CRM that has it after all', () => {
    for (const state of ['refused', 'expired'] as const) {
      const left = EVENTS.filter((event) => (afterEvent(state, event) ?? state) !== state)
      expect(left).toEqual(['accepted', 'resent', 'resentInDoubt', 'discarded'])
    }
  })
})

describe('the ledger', () => {
  const change = {
    id: 'c1',
    kind: 'create',
    stamp: '1',
    savedAt: '2026-11-20T01:00:00.000Z',
    userId: 'u1',
    offline: false,
    fields: {},
  }
  const record = {
    resource: 'emergencyReports',
    key: 'k1',
    requestId: 'r1',
    workingDate: '2026-11-20',
    serverId: '',
    changes: [change],
    unsent: 'yes' as const,
  }
  const items = queueOf([record], new Map())
  const open = () => {
    const told: string[] = []
    const db = modelDb(new Disk('phone', 'u1'), async (_, effect) => effect())
    const ledger = createLedger(db, { report: (problem) => told.push(problem) })
    return { ledger, told, row: async () => (await ledger.read(['c1'])).get('c1') }
  }

  test('[OC1] a word that comes late takes nothing from what was accepted, and is reported', async () => {
    const { ledger, told, row } = open()
    await ledger.begin(items, '{}')
    await ledger.put(items, 'accepted', { serverId: 's1' })
    await ledger.put(items, 'lost', { status: 500 })
    expect(await row()).toMatchObject({ state: 'accepted', serverId: 's1', status: 0 })
    expect(told).toEqual(['ledger: lost in state accepted, emergencyReports create'])
  })

  test('[OC3] no call leaves for a row that cannot be sent', async () => {
    const { ledger, told, row } = open()
    await ledger.put(items, 'refused', { reasons: ['ec00026'] })
    const stale = items.map((item) => ({
      ...item,
      ledger: { ...blankLedgerEntry(item), state: 'refused' as const },
    }))
    await expect(ledger.begin(stale, '{}')).rejects.toThrow('refused')
    expect(await row()).toMatchObject({ state: 'refused', reasons: ['ec00026'], payload: '' })
    expect(told).toHaveLength(1)
  })

  test('[SV2] whatever is told, the row stays, with its state and reason where the event was not known', async () => {
    await fc.assert(
      fc.asyncProperty(events, async (happened) => {
        const { ledger, told, row } = open()
        let state: LedgerState = 'waiting'
        let illegal = 0
        for (const [index, event] of happened.entries()) {
          const before = await row()
          await ledger.put(items, event, { reasons: [`${index}`], payload: `{"n":${index}}` })
          const next = afterEvent(state, event)
          const after = await row()
          if (next === null) illegal += 1
          if (next === null && before) expect(after).toEqual(before)
          expect(after?.state).toBe(next ?? state)
          expect(told).toHaveLength(illegal)
          state = after?.state ?? 'waiting'
        }
      }),
      { numRuns: 60 },
    )
  })
})
