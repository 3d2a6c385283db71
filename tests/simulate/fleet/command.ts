/** `npm run simulate -- --fleet 10000`: the table of docs/fleet.md, as it comes out now. */
import { availableParallelism } from 'node:os'
import { BUDGET, dayFigures, idleFigures, outageFigures, OUTAGES, type OutageFigures } from './figures.ts'
import { runFleet, type Result, type Scenario } from './scenarios.ts'
import type { Figures } from './tally.ts'

export interface FleetShare {
  fleet: Scenario
  devices: number[]
}

/** The part of a worker. */
export const runFleetShare = ({ fleet, devices }: FleetShare): Result => runFleet(devices, fleet)

type InWorker = (share: FleetShare) => Promise<Result>

interface Row {
  measure: string
  before: string
  now: string
  target: string
  met: boolean | null
}

const round = (number: number) => Math.round(number).toLocaleString('en')
const rates = ({ mean, p99, peak }: Figures) => `${round(mean)} / ${round(p99)} / ${round(peak)}`

const TITLES: Record<(typeof OUTAGES)[number], string> = {
  resets: '接続が切られる 30 分',
  '503': '503 の 30 分',
  '503 with Retry-After': '503、`Retry-After: 60` の 30 分',
  'no network': '電波なしの 30 分',
  'half refused': '半分が 429・503 の 30 分',
}

function idleRow(today: number, before: string, budget: number): Row {
  const { mean, most } = idleFigures(today)
  return {
    measure: `何もしない一時間、見えている、今日 ${today} 件（平均、最大）`,
    before,
    now: `${round(mean)}、${round(most)} 回`,
    target: `≤ ${budget}`,
    met: mean <= budget,
  }
}

function dayRows(results: readonly Result[]): Row[] {
  const { perDevice, firstQuarter, firstHour, day } = dayFigures(results)
  const rate = (measure: string, figures: Figures, before = '–'): Row => ({
    measure: `${measure}、回/秒（平均 / p99 / 最大）`,
    before,
    now: rates(figures),
    target: `最大 ≤ ${round(BUDGET.morning)}`,
    met: figures.peak <= BUDGET.morning,
  })
  return [
    {
      measure: '働く一日、一台（平均、p99、最大）',
      before: '~1,600 回',
      now: `${round(perDevice.mean)}、${round(perDevice.p99)}、${round(perDevice.most)} 回`,
      target: `≤ ${BUDGET.day}`,
      met: perDevice.mean <= BUDGET.day,
    },
    rate('07:30〜07:45', firstQuarter, '~4,400（最大）'),
    rate('07:30〜08:30', firstHour),
    rate('07:30〜18:30', day),
  ]
}

const DURING_BEFORE = { resets: '~96,000' } as Partial<Record<string, string>>

function outageRows(name: (typeof OUTAGES)[number], figures: OutageFigures): Row[] {
  const { during, back, unsent, lastSentMs } = figures
  const isDown = name !== 'half refused'
  const rows: Row[] = [
    {
      measure: `${TITLES[name]}、二分後から、回/秒`,
      before: DURING_BEFORE[name] ?? '–',
      now: rates(during),
      target: isDown ? `≤ ${BUDGET.outage}` : '–',
      met: isDown ? during.peak <= BUDGET.outage : null,
    },
  ]
  if (!isDown) return rows
  const sent = `${round(lastSentMs / 1_000)} 秒${unsent > 0 ? `、残り ${unsent}` : ''}`
  return [
    ...rows,
    {
      measure: 'そのあと、回/秒',
      before: '~6,000（最大）',
      now: rates(back),
      target: `最大 ≤ ${round(BUDGET.back)}`,
      met: back.peak <= BUDGET.back,
    },
    {
      measure: 'そのあと、未送信が全部届くまで',
      before: '–',
      now: sent,
      target: '≤ 300 秒',
      met: unsent === 0 && lastSentMs <= BUDGET.sentWithinMs,
    },
  ]
}

const lineOf = ({ measure, before, now, target, met }: Row) =>
  `| ${measure} | ${before} | ${now} | ${target} | ${met === null ? '–' : met ? 'はい' : 'いいえ'} |`

/** @param size how many devices @returns whether all targets are met */
export async function fleetTable(size: number, inWorker: InWorker): Promise<boolean> {
  const workers = Math.min(2, availableParallelism())
  const shares = Array.from({ length: workers }, (_, share) =>
    Array.from({ length: size }, (_one, number) => number + 1).filter((number) => number % workers === share),
  )
  const run = (fleet: Scenario) => Promise.all(shares.map((devices) => inWorker({ fleet, devices })))
  console.log(`| 測るもの（${round(size)} 台） | 前 | 今 | 目標 | 満たす |\n|---|---|---|---|---|`)
  let met = true
  const tell = (rows: readonly Row[]) => {
    for (const row of rows) console.log(lineOf(row))
    met &&= rows.every((row) => row.met !== false)
  }
  tell([idleRow(60, '851 回', BUDGET.idleOf60), idleRow(7, '~245 回', BUDGET.idleOf7)])
  tell(dayRows(await run('day')))
  for (const name of OUTAGES) tell(outageRows(name, outageFigures(await run(name))))
  return met
}
