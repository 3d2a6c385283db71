import { Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { flushSync } from 'react-dom'
import { expect, onTestFinished, test } from 'vitest'
import { lazyCode } from '#ui/base/lazy-code.ts'

/** Makes a React root that renders outside of `act`, because `act` skips a fallback that disappears at once. */
function rootOn() {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  onTestFinished(() => {
    root.unmount()
    place.remove()
  })
  return { place, root }
}

const Sheet = ({ name }: { name: string }) => <p>検索条件 {name}</p>

test('[手10] what is loaded ahead is drawn with the tap that opens it, without its fallback', async () => {
  const { place, root } = rootOn()
  const LazySheet = lazyCode(async () => Sheet)
  await LazySheet.ahead()
  flushSync(() =>
    root.render(
      <Suspense fallback="読み込み中">
        <LazySheet name="今日" />
      </Suspense>,
    ),
  )
  expect(place.textContent).toBe('検索条件 今日')
})

test('[手10] what is still to come has its fallback until it is there', async () => {
  const { place, root } = rootOn()
  let come: (sheet: typeof Sheet) => void = () => undefined
  const LazySheet = lazyCode(() => new Promise<typeof Sheet>((resolve) => (come = resolve)))
  flushSync(() =>
    root.render(
      <Suspense fallback="読み込み中">
        <LazySheet name="今日" />
      </Suspense>,
    ),
  )
  expect(place.textContent).toBe('読み込み中')
  come(Sheet)
  await expect.poll(() => place.textContent).toContain('検索条件')
})

test('code that could not be had is asked for again', async () => {
  let asked = 0
  const LazySheet = lazyCode(async () => {
    asked += 1
    if (asked === 1) throw new Error('no signal')
    return Sheet
  })
  await expect(LazySheet.ahead()).rejects.toThrow('no signal')
  await LazySheet.ahead()
  expect(asked).toBe(2)
})
