/** Faults that tests set for matching calls, stored over reloads. Delays add up; of the others, one applies. */
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
  path: 'string',
  'method?': 'string',
  count: "number | 'always'",
  'status?': 'number',
  'body?': 'unknown',
  'headers?': 'Record<string, string>',
  'ms?': 'number',
  'after?': 'boolean',
})
export type Fault = typeof fault.infer
export const faultList = fault.array()

const KEY = 'faults'

const read = async (tx: DemoTransaction): Promise<Fault[]> => faultList.assert((await tx.get(KEY)) ?? [])

export function createFaultControl(store: DemoStore) {
  const change = (next: (faults: Fault[]) => Fault[]) =>
    store.transaction(async (tx) => tx.write(new Map([[KEY, next(await read(tx))]])))
  return {
    add: (added: Fault) => change((faults) => [...faults.filter(({ id }) => id !== added.id), added]),
    remove: (id: string) => change((faults) => faults.filter((one) => one.id !== id)),
    list: () => store.transaction(read),
    clear: () => change(() => []),
  }
}

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

/** Returns the faults that apply to a call, and decreases their counts. @param path path and query of the call */
export const takeFaults = (store: DemoStore, method: string, path: string) =>
  store.transaction(async (tx) => {
    const faults = await read(tx)
    const matching = faults.filter((each) => matches(each, method, path))
    const delays = matching.filter(({ kind }) => kind === 'delay')
    const one = matching.find(({ kind }) => kind !== 'delay')
    const used = new Set([...delays, ...(one ? [one] : [])])
    const left = faults.flatMap((each) => (used.has(each) ? countedDown(each) : [each]))
    if (used.size > 0) await tx.write(new Map([[KEY, left]]))
    return { delayMs: delays.reduce((sum, { ms = 0 }) => sum + ms, 0), fault: one }
  })

const countedDown = (used: Fault): Fault[] => {
  if (used.count === 'always') return [used]
  return used.count > 1 ? [{ ...used, count: used.count - 1 }] : []
}
