/** What four hundred devices ask of the CRM, scaled to ten thousand (RULES FL1, PL10; decisions/scheduler). */
import { describe, expect, test } from 'vitest'
import { BUDGET, dayFigures, idleFigures, outageFigures, OUTAGES } from '../../simulate/fleet/figures.ts'
import { runFleet } from '../../simulate/fleet/scenarios.ts'

const DEVICES = Array.from({ length: 400 }, (_, number) => number + 1)
const SCALE = 10_000 / DEVICES.length
/** One call of one device counts as twenty-five a second: a single second says little. That of ten thousand is in docs/fleet.md. */
const BIN_SECONDS = 20
const isSlow = Boolean(process.env['SLOW'])
/** The two that a device takes most differently; the others with SLOW=1. */
const ALWAYS: readonly string[] = ['resets', '503 with Retry-After']
const MORNING_BIN_SECONDS = 60

describe('[FL1] ten thousand devices', () => {
  test.each([
    [60, BUDGET.idleOf60],
    [7, BUDGET.idleOf7],
  ])('an idle hour in sight with %i requests today takes at most %i calls', (today, budget) => {
    expect(idleFigures(today, 4, 6).mean).toBeLessThanOrEqual(budget)
  })

  test.runIf(isSlow)(
    'a working day takes a device at most 600 calls, and no minute of the morning more than 1,500 a second',
    () => {
      const { perDevice, firstHour } = dayFigures([runFleet(DEVICES, 'day')], MORNING_BIN_SECONDS)
      expect(perDevice.mean).toBeLessThanOrEqual(BUDGET.day)
      expect(firstHour.peak * SCALE).toBeLessThanOrEqual(BUDGET.morning)
    },
    60_000,
  )

  test.each(OUTAGES.filter((name) => (isSlow ? name !== 'half refused' : ALWAYS.includes(name))))(
    '[PL10] %s for half an hour: few calls meanwhile, no peak in any 20 seconds after it, and all unsent work goes',
    (name) => {
      const { during, back, unsent, lastSentMs } = outageFigures([runFleet(DEVICES, name)], BIN_SECONDS)
      expect(during.peak * SCALE).toBeLessThanOrEqual(BUDGET.outage)
      expect(back.peak * SCALE).toBeLessThanOrEqual(BUDGET.back)
      expect(unsent).toBe(0)
      expect(lastSentMs).toBeLessThanOrEqual(BUDGET.sentWithinMs)
    },
    60_000,
  )

  test.runIf(isSlow)(
    'half of all calls refused: no more calls in any 20 seconds than in an outage',
    () => {
      const { during, unsent } = outageFigures([runFleet(DEVICES, 'half refused')], BIN_SECONDS)
      expect(during.peak * SCALE).toBeLessThanOrEqual(BUDGET.outage)
      expect(unsent).toBe(0)
    },
    60_000,
  )

  test('a run follows from its seeds', () => {
    const calls = () => runFleet([7], 'resets').calls
    expect(calls()).toEqual(calls())
  })
})
