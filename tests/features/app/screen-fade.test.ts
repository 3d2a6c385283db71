/** Decision 0119, with a browser whose pictures are taken and whose fades end when the test says so. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fadeScreens } from '#app/screen-fade.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

interface Fade {
  /** The browser has its picture. */
  taken: () => Promise<void>
  ended: () => void
  skipTransition: ReturnType<typeof vi.fn>
}

function deferred() {
  let resolve: () => void = () => undefined
  let reject: (reason: Error) => void = () => undefined
  const promise = new Promise<void>((yes, no) => ([resolve, reject] = [yes, no]))
  return { promise, resolve, reject }
}

function browser({ wantsMotion = true, hasFades = true } = {}) {
  const fades: Fade[] = []
  let now = 0
  const root = { dataset: {} as Record<string, string> }
  function startViewTransition(update: () => Promise<void>) {
    const [ready, finished, done] = [deferred(), deferred(), deferred()]
    const skipTransition = vi.fn<() => void>(() => {
      ready.reject(new Error('skipped'))
      finished.resolve()
    })
    const taken = async () => {
      await update()
      done.resolve()
      ready.resolve()
      await vi.advanceTimersByTimeAsync(0)
    }
    fades.push({ taken, ended: () => finished.resolve(), skipTransition })
    return {
      ready: ready.promise,
      finished: finished.promise,
      updateCallbackDone: done.promise,
      skipTransition,
    }
  }
  const router = {
    latestLocation: { pathname: '/request/1' },
    stores: { resolvedLocation: { get: (): { pathname: string } | undefined => ({ pathname: '/request' }) } },
    startViewTransition: async (_draw: () => Promise<void>): Promise<void> => undefined,
  }
  const page = {
    document: { documentElement: root, ...(hasFades && { startViewTransition }) },
    matchMedia: () => ({ matches: wantsMotion }),
    performance: { now: () => now },
  }
  // only what it reads is there
  fadeScreens(router as never, page as never)
  const draw = vi.fn<() => Promise<void>>(async () => undefined)
  return {
    fades,
    root,
    router,
    draw,
    go: () => router.startViewTransition(draw),
    pass: (ms: number) => void (now += ms),
  }
}

describe('[0119] a screen changes without a fade', () => {
  test.each([
    ['where less motion is wanted', browser.bind(null, { wantsMotion: false }), '/request'],
    ['where the browser has none', browser.bind(null, { hasFades: false }), '/request'],
    ['where only the query changes', browser.bind(null, {}), '/request/1'],
    ['at the start', browser.bind(null, {}), undefined],
  ])('%s', async (_, open, left) => {
    const { router, go, draw, fades } = open()
    router.stores.resolvedLocation.get = () => (left === undefined ? undefined : { pathname: left })
    await go()
    expect(draw).toHaveBeenCalledOnce()
    expect(fades).toEqual([])
  })
})

test('[0119] the next screen is no part of the picture until the fade is over', async () => {
  const { go, draw, fades, root } = browser()
  const gone = go()
  expect(draw).not.toHaveBeenCalled()
  await fades[0]?.taken()
  await gone
  expect(draw).toHaveBeenCalledOnce()
  expect(root.dataset).toEqual({ arriving: '' })
  fades[0]?.ended()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(root.dataset).toEqual({})
  expect(fades[0]?.skipTransition).not.toHaveBeenCalled()
})

test('[0119] a picture that takes more than two frames is given up, and none is taken after it', async () => {
  const { go, pass, draw, fades } = browser()
  const gone = go()
  pass(35)
  await fades[0]?.taken()
  await gone
  expect(fades[0]?.skipTransition).toHaveBeenCalled()
  await go()
  expect(draw).toHaveBeenCalledTimes(2)
  expect(fades).toHaveLength(1)
})

test('[0119] the page is held still for a tenth of a second at most', async () => {
  const { go, fades } = browser()
  void go()
  await vi.advanceTimersByTimeAsync(99)
  expect(fades[0]?.skipTransition).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(fades[0]?.skipTransition).toHaveBeenCalled()
})

test('[0119] who goes on during a fade ends it, and its end takes nothing from the next one', async () => {
  const { go, fades, root } = browser()
  void go()
  await fades[0]?.taken()
  void go()
  expect(fades[0]?.skipTransition).toHaveBeenCalled()
  // the screen of the first fade is part of the second one's picture
  expect(root.dataset).toEqual({})
  await fades[1]?.taken()
  expect(root.dataset).toEqual({ arriving: '' })
})
