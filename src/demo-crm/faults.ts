/**
 * Faults as data: what goes wrong between the app and the CRM, or in the CRM, for the calls that match.
 * They live in the store, so that a reload keeps them. Delays add up; of the other kinds the first match acts.
 */
import { type } from 'arktype'
import type { DemoStore, DemoTransaction } from './store.ts'

const fault = type({
  id: 'string',
  /**
   * unreachable: the call fails before the CRM acts. lostAnswer: the CRM acts, then the call fails.
   * status: this answer instead of acting (`after`: acts first). delay: waits. captivePortal: somebody's 200 page.
   */
  kind: "'unreachable' | 'lostAnswer' | 'status' | 'delay' | 'captivePortal'",
  /** RegExp source or glob, looked for anywhere in path and query. */
  path: 'string',
  'method?': 'string',
  /** Calls it is still good for. */
  count: "number | 'always'",
  'status?': 'number',
  'body?': 'unknown',
  /** E.g. `Retry-After`. */
  'headers?': 'Record<string, string>',
  'ms?': 'number',
  'after?': 'boolean',
})
export type Fault = typeof fault.infer
export const faultList = fault.array()

export interface FaultControl {
  add: (fault: Fault) => Promise<void>
  remove: (id: string) => Promise<void>
  /** In the order they were added. */
  list: () => Promise<Fault[]>
  clear: () => Promise<void>
}

const KEY = 'faults'

const read = async (tx: DemoTransaction): Promise<Fault[]> => faultList.assert((await tx.get(KEY)) ?? [])

export function createFaultControl(store: DemoStore): FaultControl {
  const change = (next: (faults: Fault[]) => Fault[]) =>
    store.transaction(async (tx) => tx.write(new Map([[KEY, next(await read(tx))]])))
  return {
    add: (added) => change((faults) => [...faults.filter(({ id }) => id !== added.id), added]),
    remove: (id) => change((faults) => faults.filter((one) => one.id !== id)),
    list: () => store.transaction(read),
    clear: () => change(() => []),
  }
}

/** A glob's `*` and `**` take anything; the text is looked for anywhere, as a RegExp is. */
const globSource = (glob: string) => glob.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\*+/g, '.*')

function pathMatches(pattern: string, path: string): boolean {
  try {
    if (new RegExp(pattern).test(path)) return true
  } catch {
    // No RegExp, so it is a glob only.
  }
  return new RegExp(globSource(pattern)).test(path)
}

const matches = (one: Fault, method: string, path: string) =>
  one.count !== 0 && (one.method ?? method).toUpperCase() === method && pathMatches(one.path, path)

interface TakenFaults {
  delayMs: number
  fault: Fault | undefined
}

/** The faults of one call, counted down. @param path path and query */
export function takeFaults(store: DemoStore, method: string, path: string): Promise<TakenFaults> {
  return store.transaction(async (tx) => {
    const faults = await read(tx)
    const matching = faults.filter((each) => matches(each, method, path))
    const delays = matching.filter(({ kind }) => kind === 'delay')
    const one = matching.find(({ kind }) => kind !== 'delay')
    const used = new Set([...delays, ...(one ? [one] : [])])
    const left = faults.flatMap((each) => (used.has(each) ? countedDown(each) : [each]))
    if (used.size > 0) await tx.write(new Map([[KEY, left]]))
    return { delayMs: delays.reduce((sum, { ms = 0 }) => sum + ms, 0), fault: one }
  })
}

const countedDown = (used: Fault): Fault[] => {
  if (used.count === 'always') return [used]
  return used.count > 1 ? [{ ...used, count: used.count - 1 }] : []
}
