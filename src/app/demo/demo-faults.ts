/** The switches of the demo's control, as faults of the demo CRM. */
import type { Fault } from '#demo-crm/faults.ts'

export const NO_SIGNAL = 'no-signal'

const ALWAYS = { path: '.', count: 'always' } as const
/** Only writes lose their answer or fail: reads would leave nothing to see. */
const WRITES = { path: '/spa/.+', count: 'always' } as const

export const DEMO_FAULTS: Record<string, Fault[]> = {
  [NO_SIGNAL]: [{ id: NO_SIGNAL, kind: 'unreachable', ...ALWAYS }],
  slow: [{ id: 'slow', kind: 'delay', ms: 3_000, ...ALWAYS }],
  'no-answer': [
    { id: 'no-answer', kind: 'lostAnswer', method: 'POST', ...WRITES },
    { id: 'no-answer-put', kind: 'lostAnswer', method: 'PUT', ...WRITES },
  ],
  'status-500': [
    { id: 'status-500', kind: 'status', status: 500, method: 'POST', ...WRITES },
    { id: 'status-500-put', kind: 'status', status: 500, method: 'PUT', ...WRITES },
  ],
}
