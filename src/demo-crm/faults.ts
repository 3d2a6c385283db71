/**
 * Faults of the network or the CRM that tests set for matching calls. They are stored, so that they survive a reload.
 * The delays of all matching faults add up; of the other faults, only the first applies.
 */
import { type } from 'arktype'
import type { DemoStore, DemoTransaction } from '#demo-crm/world/store.ts'

const fault = type({
  id: 'string',
  /**
   * `unreachable`: the call fails and is not executed. `lostAnswer`: the call is executed and its response is lost.
   * `status`: the call gets this status and is not executed, unless `after` is set. `delay`: the call waits.
   * `captivePortal`: the call gets a Wi-Fi portal's HTML page with status 200.
   */
  kind: "'unreachable' | 'lostAnswer' | 'status' | 'delay' | 'captivePortal'",
  /** RegExp or glob, which may match anywhere in path and query. */
  path: 'string',
  'method?': 'string',
  /** Number of calls that the fault still affects. */
  count: "number | 'always'",
  'status?': 'number',
  'body?': 'unknown',
  /** For example `Retry-After`. */
  'headers?': 'Record<string, string>',
  'ms?': 'number',
  'after?': 'boolean',
})
export type Fault = typeof fault.infer
export const faultList = fault.array()

export interface FaultControl {
  add: (fault: Fault) => Promise<void>
  remove: (id: string) => Promise<void>
  /** In the order of creation. */
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

/** Converts a glob to the source of a RegExp. `*` and `**` match any text. */
const globSource = (glob: string) => glob.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\*+/g, '.*')

function pathMatches(pattern: string, path: string): boolean {
  try {
    if (new RegExp(pattern).test(path)) return true
  } catch {
    // The text is not a valid RegExp, so it is used as a glob.
  }
  return new RegExp(globSource(pattern)).test(path)
}

const matches = (one: Fault, method: string, path: string) =>
  one.count !== 0 && (one.method ?? method).toUpperCase() === method && pathMatches(one.path, path)

interface TakenFaults {
  delayMs: number
  fault: Fault | undefined
}

/** Returns the faults that apply to a call, and decreases their counts. @param path path and query of the call */
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
