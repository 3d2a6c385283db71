/**
 * What can happen next in the smallest world, and what comes of it: a step from value to value. A run of the app is one
 * event. Wherever something can go wrong in it there is a choice: each call may be lost or answered badly, each write may
 * be the one before which the phone dies. `choices` says what happens at each of them, in order; beyond its end all goes
 * well. A phone that has used up its calls dies at the next one.
 */
import type { Answer } from '#sync/transport/outcome.ts'
import type { StorageStep } from '../model-db.ts'
import { act, type Content, type CrmState } from './crm.ts'
import { OnePhone, seenOn, type DiskState, type Planted } from './phone.ts'

export const PHONES = [0, 1] as const
export type PhoneNumber = (typeof PHONES)[number]
type Pair<T> = readonly [T, T]

/** What a person at this phone saves, in this order. */
const SAVES: Readonly<Record<PhoneNumber, readonly Partial<Record<keyof Content, string>>[]>> = {
  0: [{ parkingMethod: 'a1', inMethod: 'a1' }, { parkingMethod: 'a2' }],
  1: [{ inMethod: 'b1' }],
}

export interface State {
  disks: Pair<DiskState>
  crm: CrmState
  /** Saves so far of each phone. */
  saved: Pair<number>
  /** A list that was read and is not yet written. */
  reading: Pair<Reading | null>
  /** Lists that each phone may still read. */
  reads: Pair<number>
  /** Calls that each phone may still make when it sends. */
  calls: Pair<number>
  /** Stamps given so far. */
  stamps: number
}

interface Reading {
  content: Content | null
  stamp: string
}

/** How much of it there is: what each phone may do beside its saves. */
export interface World {
  /** Calls when it sends. */
  calls: number
  /** Lists that it reads. */
  reads: number
}

/** What a call can come to, the first where nothing goes wrong. A read changes nothing: unheard is lost. */
const OF_WRITES = ['ok', 'lost', 'unheard', '500', 'page'] as const
const OF_READS = ['ok', 'lost', '500'] as const
const OF_DISK = ['ok', 'crash'] as const
export type Choice = (typeof OF_WRITES)[number] | 'crash'

export type Event =
  | { kind: 'save' | 'read' | 'write'; phone: PhoneNumber }
  | { kind: 'run'; phone: PhoneNumber; choices: readonly Choice[] }

export const startOf = ({ calls, reads }: World): State => ({
  disks: [
    { stored: [], changes: [] },
    { stored: [], changes: [] },
  ],
  crm: { content: null, made: 0 },
  saved: [0, 0],
  reading: [null, null],
  reads: [reads, reads],
  calls: [calls, calls],
  stamps: 0,
})

/** Everything that can happen in a state; of runs only the one in which nothing goes wrong. */
export function eventsOf({ saved, reading, reads, disks }: State): Event[] {
  return PHONES.flatMap((phone): Event[] => [
    ...(saved[phone] < SAVES[phone].length ? [{ kind: 'save' as const, phone }] : []),
    ...(reading[phone] ? [{ kind: 'write' as const, phone }] : []),
    ...(!reading[phone] && reads[phone] > 0 ? [{ kind: 'read' as const, phone }] : []),
    ...(seenOn(disks[phone]).records.some(({ changes }) => changes.length > 0)
      ? [{ kind: 'run' as const, phone, choices: [] }]
      : []),
  ])
}

const stampOf = (number: number) => `s${String(number).padStart(6, '0')}`

const withOf = <T>(pair: Pair<T>, phone: PhoneNumber, value: T): Pair<T> =>
  phone === 0 ? [value, pair[1]] : [pair[0], value]

export interface Stepped {
  state: State
  /** Of a run: what could have happened at each choice of it. */
  points: readonly (readonly Choice[])[]
}

export async function step(state: State, event: Event, planted: Planted): Promise<Stepped> {
  let { stamps, crm } = state
  const { phone: number } = event
  const phone = new OnePhone(`p${number}`, state.disks[number], () => stampOf((stamps += 1)), planted)
  const after = (more: Partial<State> = {}, points: Stepped['points'] = []): Stepped => ({
    state: { ...state, crm, stamps, disks: withOf(state.disks, number, phone.state()), ...more },
    points,
  })
  switch (event.kind) {
    case 'save': {
      const nth = state.saved[number]
      await phone.save(`p${number}-${nth}`, SAVES[number][nth] ?? {})
      return after({ saved: withOf(state.saved, number, nth + 1) })
    }
    case 'read': {
      const reading = { content: crm.content, stamp: stampOf((stamps += 1)) }
      const reads = withOf(state.reads, number, state.reads[number] - 1)
      return after({ reading: withOf(state.reading, number, reading), reads })
    }
    case 'write': {
      const read = state.reading[number]
      if (read) phone.pulled(read.content, read.stamp)
      return after({ reading: withOf(state.reading, number, null) })
    }
    case 'run': {
      const run = ground(event.choices, state.calls[number], (call) => {
        const acted = act(call, crm)
        crm = acted.crm
        return acted.answer
      })
      await Promise.race([phone.run(run.http, run.storage), run.died])
      const calls = withOf(state.calls, number, state.calls[number] - run.called())
      return after({ calls }, run.points)
    }
  }
}

const LOST: Answer = { kind: 'no-answer', sent: true }
const failing = (status: number, isJson: boolean): Answer => ({
  kind: 'answer',
  status,
  body: isJson ? {} : '<html>',
  isJson,
  total: null,
  retryAfter: null,
})

type Wire = Parameters<OnePhone['run']>[0]

/** What a run stands on, the network and the disk; what happens there goes by its choices. */
function ground(choices: readonly Choice[], budget: number, crm: (call: Parameters<Wire>[0]) => Answer) {
  const points: (readonly Choice[])[] = []
  let called = 0
  let isDead = false
  let die = (): void => undefined
  const died = new Promise<void>((resolve) => (die = resolve))
  const crash = (): Promise<never> => {
    isDead = true
    die()
    return new Promise(() => undefined)
  }
  const chosen = (options: readonly Choice[]): Choice => {
    points.push(options)
    return choices[points.length - 1] ?? 'ok'
  }
  const http: Wire = async (call) => {
    if (isDead || called >= budget) return crash()
    called += 1
    switch (chosen(call.method === 'GET' ? OF_READS : OF_WRITES)) {
      case 'lost':
        return LOST
      case '500':
        return failing(500, true)
      case 'unheard':
        crm(call)
        return LOST
      case 'page':
        crm(call)
        return failing(502, false)
      case 'crash':
        return crash()
      case 'ok':
        return crm(call)
    }
  }
  const storage: StorageStep = async (kind, effect) => {
    if (isDead || (kind === 'write' && chosen(OF_DISK) === 'crash')) return crash()
    return effect()
  }
  return { http, storage, died, points, called: () => called }
}
