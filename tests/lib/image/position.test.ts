import { describe, expect, test, vi } from 'vitest'
import { currentPosition, isIosSafari, placeText } from '#lib/image/position.ts'

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Safari/604.1'
const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15'
const ANDROID = 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/150.0 Mobile Safari/537.36'

type Get = Geolocation['getCurrentPosition']
const ask = (getCurrentPosition: Get | undefined, userAgent = ANDROID) =>
  currentPosition({
    geolocation: getCurrentPosition && { getCurrentPosition },
    userAgent,
    maxTouchPoints: 5,
  })

test.each([
  [IPHONE, 5, true],
  [MAC, 5, true],
  [MAC, 0, false],
  [ANDROID, 5, false],
])('the one mobile browser is Safari on iPhone and iPad: %s', (userAgent, maxTouchPoints, is) => {
  expect(isIosSafari({ userAgent, maxTouchPoints })).toBe(is)
})

describe('[spec 9] the position', () => {
  test('with high accuracy, as degrees', async () => {
    const get = vi.fn<Get>((found) =>
      found({ coords: { latitude: 35.6581, longitude: 139.7017 } } as GeolocationPosition),
    )
    const position = await ask(get)
    expect(placeText(position)).toBe('35.658100,139.701700')
    expect(get.mock.calls[0]?.[2]).toEqual({ enableHighAccuracy: true, timeout: 5_000, maximumAge: 0 })
  })

  test.each<[string, Get | undefined]>([
    ['refused', (_, failed) => failed?.({ code: 1 } as GeolocationPositionError)],
    [
      'a browser that throws',
      () => {
        throw new TypeError('no')
      },
    ],
    ['no geolocation', undefined],
  ])('never rejects: %s', async (_, get) => {
    expect(await ask(get)).toBeNull()
    expect(placeText(null)).toBe('')
  })

  test.each([
    [ANDROID, 5_000],
    [IPHONE, 7_000],
  ])('never waits for ever: %s', async (userAgent, ms) => {
    vi.useFakeTimers()
    let ended = false
    const position = ask(() => undefined, userAgent).then((found) => {
      ended = true
      return found
    })
    await vi.advanceTimersByTimeAsync(ms - 1)
    expect(ended).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await position).toBeNull()
    vi.useRealTimers()
  })
})
