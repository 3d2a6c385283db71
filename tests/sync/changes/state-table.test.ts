/** The table of send states, and random sequences of events for one document. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blankFacts, queueOf } from '#schemas/changes/change-queue.ts'
import type { StoredState, SendFacts } from '#schemas/change.ts'
import type { Write } from '#sync/storage/database.ts'
import { stateWrites } from '#sync/changes/send-adapter.ts'
import { afterEvent, STATE_TABLE, type StateEvent } from '#schemas/send-state.ts'

const EVENTS: StateEvent[] = [
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
const STATES = Object.keys(STATE_TABLE) as StoredState[]

const events = fc.array(fc.constantFrom(...EVENTS), { maxLength: 30 })

/** The states that a document goes through. */
function walk(told: readonly StateEvent[]): StoredState[] {
  let state: StoredState = 'waiting'
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
      const shipped = states.map((state) => [state, afterEvent(state as StoredState, event) ?? ''])
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

const CHANGE = {
  ...{ id: 'c1', kind: 'create', stamp: '1', savedAt: '2026-11-20T01:00:00.000Z' },
  ...{ userId: 'u1', offline: false, fields: {} },
}

describe('what is written of a document', () => {
  const record = { resource: 'emergencyReports', key: 'k1', requestId: 'r1', workingDate: '2026-11-20' }
  const saved = blankFacts({ record, change: CHANGE })
  const open = () => {
    const told: string[] = []
    const report = (problem: string) => told.push(problem)
    const own = { otherwise: () => null, adjust: (_: SendFacts, after: SendFacts) => after }
    const write = async (writes: ReadonlyMap<string, Write<SendFacts>>) =>
      writes.forEach((change) => change({ ...saved, state: 'refused' }))
    return { ...stateWrites<SendFacts>({ ...own, report, write }), told }
  }

  test('[OC1] an event that comes late takes nothing from what was accepted, and is reported', () => {
    const { after, told } = open()
    const sending = after(saved, 'began', { payload: '{}' })
    const accepted = after(sending, 'accepted', { serverId: 's1' })
    expect(after(accepted, 'lost', { status: 500 })).toMatchObject({
      state: 'accepted',
      serverId: 's1',
      status: 0,
    })
    expect(told).toEqual(['states: lost in state accepted, emergencyReports create'])
  })

  test('[OC3] no call leaves for what cannot be sent', async () => {
    const { writes, told } = open()
    const refused = { ...saved, state: 'refused' as const }
    const [item] = queueOf(
      [{ ...record, serverId: '', changes: [CHANGE], unsent: 'yes' }],
      new Map([['c1', refused]]),
    )
    if (!item) throw new Error('nothing in the queue')
    await expect(writes.begin([item], '{}')).rejects.toThrow('refused')
    expect(told).toHaveLength(1)
  })

  test('[SV2] whatever happens, the state and its reason stay where the event was not known', () => {
    fc.assert(
      fc.property(events, (happened) => {
        const { after, told } = open()
        let [row, illegal] = [saved, 0]
        for (const [index, event] of happened.entries()) {
          const before = row
          row = after(before, event, { reasons: [`${index}`], payload: `{"n":${index}}` })
          const next = afterEvent(before.state, event)
          if (next === null) {
            illegal += 1
            expect(row).toEqual(before)
          }
          expect(row.state).toBe(next ?? before.state)
          expect(told).toHaveLength(illegal)
        }
      }),
    )
  })
})
