/** The laws of the smallest world: of every state, and of what comes of it once nothing goes wrong any more. */
import type { SendFacts } from '#schemas/change.ts'
import type { Content } from './crm.ts'
import { PHONES, step, type State } from './events.ts'
import { seenOn, type Planted } from './phone.ts'

/** @returns the law that a state breaks by itself */
export function brokenNow({ crm, disks, saved }: State): string | null {
  if (crm.made > 1) return 'SV2: the record was made twice'
  for (const phone of PHONES) {
    const { records, progress } = seenOn(disks[phone])
    const kept = new Set(records.flatMap(({ changes }) => changes.map(({ id }) => id)))
    const accepted = new Set(progress.filter((row) => row.state === 'accepted').map(({ id }) => id))
    const last = `p${phone}-${saved[phone] - 1}`
    if (saved[phone] > 0 && !kept.has(last) && !accepted.has(last))
      return `SV3: the last save of phone ${phone} is nowhere`
    if (accepted.size > 0 && !crm.content)
      return `ST1: ${[...accepted].join(' ')} counts as sent, and nothing is there`
  }
  return null
}

const ROUNDS = 6

/** @returns the state after both phones have sent and read until nothing changed any more, and nothing went wrong */
export async function calm(state: State, planted: Planted): Promise<State> {
  let now: State = { ...state, calls: [Infinity, Infinity] }
  for (let times = 0; times < ROUNDS; times += 1) {
    const before = saying(now)
    for (const phone of PHONES) now = await round(now, phone, planted)
    if (saying(now) === before) break
  }
  return now
}

/** All but the stamps. */
const saying = ({ disks, crm }: State) => JSON.stringify({ disks, crm }).replaceAll(/s\d{6}/g, '')

async function round(state: State, phone: 0 | 1, planted: Planted): Promise<State> {
  const isIdle = seenOn(state.disks[phone]).records.every(({ changes }) => changes.length === 0)
  let now = isIdle ? state : (await step(state, { kind: 'run', phone, choices: [] }, planted)).state
  // a list that was read before is written first
  if (now.reading[phone]) now = (await step(now, { kind: 'write', phone }, planted)).state
  now = (await step(now, { kind: 'read', phone }, planted)).state
  return (await step(now, { kind: 'write', phone }, planted)).state
}

const FIELDS = ['parkingType', 'parkingMethod', 'inMethod'] as const

const same = (a: Partial<Content> | undefined | null, b: Partial<Content> | null) =>
  FIELDS.every((field) => ((a?.[field] ?? '') || null) === ((b?.[field] ?? '') || null))

const isRefused = (progress: readonly SendFacts[], id: string) =>
  progress.find((row) => row.id === id)?.state === 'refused'

/** @param state at rest @returns the law that it breaks */
export function brokenAtRest({ disks, crm, saved }: State): string | null {
  for (const phone of PHONES) {
    const { records, progress } = seenOn(disks[phone])
    // one that a later save has taken the place of is in no record any more (OR2)
    const kept = new Set(records.flatMap(({ changes }) => changes.map(({ id }) => id)))
    const open = progress.find(
      ({ id, state }) => kept.has(id) && (state === 'sending' || state === 'unknown'),
    )
    if (open) return `SV2: ${open.id} is in doubt for ever`
    for (const { changes, server } of records) {
      // what hangs on a refused one waits with it, in sight (OR3)
      const isHeld = changes.some(({ id }) => isRefused(progress, id))
      if (!isHeld && changes[0]) return `SV2: ${changes[0].id} never left`
      const made = changes.find(({ id, fields }) => isRefused(progress, id) && same(fields, crm.content))
      if (made) return `OC3: ${made.id} is shown as refused, and the CRM has it`
      if (!same(server, crm.content)) return `PL1: phone ${phone} does not show what the CRM has`
    }
  }
  return lostLaw(saved, disks, crm.content)
}

/** What a phone saved last of a field is in the CRM, unless the other one saved that field too. */
function lostLaw(saved: State['saved'], disks: State['disks'], content: Content | null): string | null {
  const held = new Set(
    disks
      .map(seenOn)
      .flatMap(({ records, progress }) =>
        records
          .filter(({ changes }) => changes.some(({ id }) => isRefused(progress, id)))
          .flatMap(({ changes }) => changes.map(({ id }) => id)),
      ),
  )
  const taken = (phone: 0 | 1) =>
    Array.from({ length: saved[phone] }, (_, nth) => `p${phone}-${nth}`).filter((id) => !held.has(id))
  const [mine, theirs] = [taken(0), taken(1)]
  const may = {
    parkingMethod: [mine.includes('p0-1') ? 'a2' : mine.length > 0 ? 'a1' : null],
    inMethod: [mine.length > 0 ? 'a1' : null, theirs.length > 0 ? 'b1' : null],
  }
  for (const field of ['parkingMethod', 'inMethod'] as const) {
    const allowed = may[field].filter((value) => value !== null)
    const value = content?.[field] ?? null
    if (allowed.length > 0 && !allowed.includes(value ?? ''))
      return `MG2: ${field} is ${String(value)}, and nobody said so last (${allowed.join(', ')})`
  }
  return null
}
