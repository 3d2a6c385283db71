import { expect, test } from 'vitest'
import { warmTimeInput } from '#ui/controls/warm-inputs.ts'

const kinds = (nodes: NodeList) =>
  [...nodes].map((each) => (each instanceof HTMLInputElement ? each.type : each.nodeName))

test('[decisions/speed] the control for times is made in idle moments only, and nothing of it stays in the page', async () => {
  const seen: string[] = []
  const watch = new MutationObserver((list) => {
    for (const { addedNodes, removedNodes } of list)
      seen.push(
        ...kinds(addedNodes).map((kind) => `added ${kind}`),
        ...kinds(removedNodes).map((kind) => `removed ${kind}`),
      )
  })
  watch.observe(document.body, { childList: true })
  const idle: (() => void)[] = []
  const warming = warmTimeInput(() => new Promise((resolve) => idle.push(resolve)))
  expect(idle).toHaveLength(1)
  idle.pop()?.()
  await expect.poll(() => idle.length).toBe(1)
  expect(seen).toEqual([])
  idle.pop()?.()
  await warming
  await expect.poll(() => seen).toEqual(['added time', 'removed time'])
  watch.disconnect()
})
