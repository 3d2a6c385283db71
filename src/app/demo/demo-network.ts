/**
 * The demo's network: the demo CRM in this page, in place of fetch. 圏外 is told to the app as the browser would tell
 * it, so that everything behaves as on a real phone.
 */
import { openBrowserDemoCrm } from '#demo-crm/browser-host.ts'
import type { DemoCrm } from '#demo-crm/demo-crm.ts'
import type { Env } from '../env.ts'
import { DEMO_FAULTS, NO_SIGNAL } from './demo-faults.ts'

export interface DemoNetwork {
  crm: DemoCrm
  fetch: typeof globalThis.fetch
  /** The switches that are on. */
  active(): Promise<Set<string>>
  set(name: string, on: boolean): Promise<void>
}

export async function openDemoNetwork(env: Env): Promise<DemoNetwork> {
  const crm = await openBrowserDemoCrm(env, Date.now)
  const network: DemoNetwork = {
    crm,
    fetch: async (input, init) => crm.fetch(new Request(input, init)),
    async active() {
      const ids = new Set((await crm.faults.list()).map(({ id }) => id))
      return new Set(Object.keys(DEMO_FAULTS).filter((name) => ids.has(name)))
    },
    async set(name, on) {
      for (const fault of DEMO_FAULTS[name] ?? [])
        await (on ? crm.faults.add(fault) : crm.faults.remove(fault.id))
      if (name === NO_SIGNAL) window.dispatchEvent(new Event(on ? 'offline' : 'online'))
    },
  }
  return network
}

/** Says at a start that there is no signal, when the switch was left on. */
export async function tellSignal(network: DemoNetwork): Promise<void> {
  if ((await network.active()).has(NO_SIGNAL)) window.dispatchEvent(new Event('offline'))
}
