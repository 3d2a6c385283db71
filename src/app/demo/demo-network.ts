/** The demo's network: a demo CRM inside the page replaces `fetch`. 圏外 dispatches `offline` and `online`. */
import { openBrowserDemoCrm } from '#demo-crm/browser-host.ts'
import type { Env } from '#app/config/env.ts'
import type { Fault } from '#demo-crm/faults.ts'

const NO_SIGNAL = 'no-signal'
const ALL_CALLS = { path: '.', count: 'always' } as const
/** The faults 応答なし and 500 affect writes only, because the screens would be empty if reads failed. */
const WRITES = { path: '/spa/.+', count: 'always' } as const

const DEMO_FAULTS: Record<string, Fault[]> = {
  [NO_SIGNAL]: [{ id: NO_SIGNAL, kind: 'unreachable', ...ALL_CALLS }],
  slow: [{ id: 'slow', kind: 'delay', ms: 3_000, ...ALL_CALLS }],
  'no-answer': [
    { id: 'no-answer', kind: 'lostAnswer', method: 'POST', ...WRITES },
    { id: 'no-answer-put', kind: 'lostAnswer', method: 'PUT', ...WRITES },
  ],
  'status-500': [
    { id: 'status-500', kind: 'status', status: 500, method: 'POST', ...WRITES },
    { id: 'status-500-put', kind: 'status', status: 500, method: 'PUT', ...WRITES },
  ],
}

export type DemoNetwork = Awaited<ReturnType<typeof openDemoNetwork>>

export async function openDemoNetwork(env: Env) {
  const crm = await openBrowserDemoCrm(env, Date.now)
  return {
    crm,
    fetch: async (...[input, init]: Parameters<typeof globalThis.fetch>) =>
      crm.fetch(new Request(input, init)),
    async active(): Promise<Set<string>> {
      const ids = new Set((await crm.faults.list()).map(({ id }) => id))
      return new Set(Object.keys(DEMO_FAULTS).filter((name) => ids.has(name)))
    },
    async set(name: string, on: boolean): Promise<void> {
      for (const fault of DEMO_FAULTS[name] ?? [])
        await (on ? crm.faults.add(fault) : crm.faults.remove(fault.id))
      if (name === NO_SIGNAL) window.dispatchEvent(new Event(on ? 'offline' : 'online'))
    },
  }
}

/** Dispatches `offline` if the switch 圏外 is on at the start. */
export async function dispatchSignal(network: DemoNetwork): Promise<void> {
  if ((await network.active()).has(NO_SIGNAL)) window.dispatchEvent(new Event('offline'))
}
