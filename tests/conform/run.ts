/** Runs the clauses one after the other: each ends on its own, whatever the others do. */
import { createBench, login, addressesOf, type Made } from './bench.ts'
import { deleteFiles } from './cases/file-store.ts'
import type { Clause } from './clause.ts'
import { clauses } from './clauses.ts'
import { hostClauses } from './host.ts'
import type { ConformOptions } from './options.ts'
import { Ended, type Verdict } from './verdict.ts'
import { createWire, Unreachable } from './wire.ts'

export interface Finding {
  clause: Clause
  verdict: Verdict
  message: string
  ms: number
}

export type Outcome =
  | { kind: 'ran'; findings: Finding[]; made: Made[]; mark: string }
  /** Nothing can be tried. */
  | { kind: 'stopped'; problem: string }

/** @param told hears of each clause as it ends */
export async function conform(
  options: ConformOptions,
  told: (finding: Finding) => void = () => {},
  now: () => number = Date.now,
): Promise<Outcome> {
  const problem = await firstProblem(options)
  if (problem !== null) return { kind: 'stopped', problem }
  const bench = createBench(options, now)
  const findings: Finding[] = []
  for (const clause of wanted(options)) {
    const begin = performance.now()
    const ended = await clause.run(bench).then(
      () => ({ verdict: 'pass' as const, message: '' }),
      (error: unknown) => verdictOf(error),
    )
    const finding = { clause, ...ended, ms: Math.round(performance.now() - begin) }
    findings.push(finding)
    told(finding)
  }
  await deleteFiles(bench)
  return { kind: 'ran', findings, made: bench.made, mark: bench.mark }
}

const wanted = ({ full, only, host }: ConformOptions) =>
  (host === '' ? clauses : hostClauses).filter(
    ({ id, mode }) => (full || mode === 'read') && (only.length === 0 || only.includes(id)),
  )

function verdictOf(error: unknown): { verdict: Verdict; message: string } {
  if (error instanceof Ended) return { verdict: error.verdict, message: error.message }
  if (error instanceof Unreachable) return { verdict: 'fail', message: error.message }
  return { verdict: 'fail', message: `試験が止まりました：${String(error).slice(0, 300)}` }
}

/** Whether anybody is there, and lets us in. */
async function firstProblem(options: ConformOptions): Promise<string | null> {
  if (options.host !== '' && options.user === '') return null
  const [wire, at] = [createWire(options), addressesOf(options)]
  try {
    const { status, text, json } = await login(wire, at, options)
    if (status === 200 && json !== undefined) return null
    if (status === 401)
      return `ログインできません（401）。署名の鍵（--key）か、利用者とパスワードが違います：${text.slice(0, 120)}`
    if (status === 400)
      return `ログインできません（400）。利用者とパスワードを確かめてください：${text.slice(0, 120)}`
    return `ログインの住所 ${at.login} が ${status} でした。--url と --config の値を確かめてください。`
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    return `${error.message} --url、ネットワーク、証明書（社内の認証局なら NODE_EXTRA_CA_CERTS）を確かめてください。`
  }
}
