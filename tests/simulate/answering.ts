/** Deliberate defects that misread what the CRM answers to a write. */
import type { Outcome } from '#sync/transport/outcome.ts'
import type { Api } from '#sync/scheduler/api.ts'
import type { Defect } from './defect.ts'

/** Answers to writes are taken for something else. */
export const answering = (change: (outcome: Outcome) => Outcome): Defect => ({
  api: (api): Api => ({ ...api, write: async (call) => change(await api.write(call)) }),
})

export const ACCEPTED: Outcome = { kind: 'accepted', status: 200, body: { id: 'x' }, total: null }
