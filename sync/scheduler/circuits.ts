/** The circuits of the two APIs. */
import { createCircuit, type Circuit, type CircuitMemory, type CircuitParts } from './circuit.ts'

export interface Circuits {
  /** `{api}`: login, refresh, the CRM's records, the probe. */
  crm: Circuit
  /** `{fs}`: the file store. */
  files: Circuit
}

type Parts = Omit<CircuitParts, 'memory' | 'hasLogin'> & { memory: (name: string) => CircuitMemory }

export const createCircuits = ({ memory, ...parts }: Parts): Circuits => ({
  crm: createCircuit({ ...parts, memory: memory('crm'), hasLogin: true }),
  files: createCircuit({ ...parts, memory: memory('files'), hasLogin: false }),
})

/** A monotonic clock that all tabs of a browser share. */
export const sharedNow = (): number => performance.timeOrigin + performance.now()

export const afterTimeout: CircuitParts['after'] = (ms, run) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/** The browser reports that it is online again. */
export function reportOnline({ crm, files }: Circuits): void {
  crm.online()
  files.online()
}

/** The user requests something now: for each API one call may begin before its back-off is over. */
export function requestCalls({ crm, files }: Circuits): void {
  crm.requestCall()
  files.requestCall()
}
