/** A stop waits for what the sync is doing at that moment (SV3). */
import { expect, test } from 'vitest'
import { createInFlight } from '#sync/changes/replications.ts'

test('[SV3] what is under way is waited for, also what begins meanwhile, and what fails', async () => {
  const inFlight = createInFlight()
  const order: string[] = []
  let [endFirst, endSecond] = [() => undefined as void, () => undefined as void]
  const second = () => new Promise<void>((resolve) => void (endSecond = resolve))
  const first = inFlight.run(async () => {
    await new Promise<void>((resolve) => void (endFirst = resolve))
    void inFlight.run(second).then(() => order.push('second'))
    order.push('first')
    throw new Error('failed')
  })
  first.catch(() => undefined)
  const ended = inFlight.ended().then(() => order.push('ended'))
  endFirst()
  await first.catch(() => undefined)
  endSecond()
  await ended
  expect(order).toEqual(['first', 'second', 'ended'])
})
