/**
 * Where a photo is taken (spec 3, 9): the browser's position with high accuracy, within 5 seconds. It never rejects and
 * never waits for ever: a photo without a position is a photo all the same.
 *
 * The "one mobile browser" with 2 seconds more is Safari on iPhone and iPad: there the time that the permission prompt
 * is open counts against the timeout. The page's own clock bounds the whole, because a prompt that nobody answers
 * calls back neither way in some browsers.
 */

interface Position {
  /** Degrees. */
  latitude: number
  longitude: number
}

interface Parts {
  /** `navigator.geolocation`; undefined where there is none (no secure context). */
  geolocation: Pick<Geolocation, 'getCurrentPosition'> | undefined
  userAgent: string
  /** Safari on iPad calls itself a Mac, but has a touch screen. */
  maxTouchPoints: number
  /** Milliseconds; and what the one mobile browser gets on top (spec 9: limits of the schemas). */
  timeoutMs: number
  extraMs: number
}

export const isIosSafari = ({
  userAgent,
  maxTouchPoints,
}: Pick<Parts, 'userAgent' | 'maxTouchPoints'>): boolean =>
  (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)) &&
  /AppleWebKit/.test(userAgent)

/** @returns the position, or null where there is none in time, or the user does not allow it */
export async function currentPosition(parts: Parts): Promise<Position | null> {
  const { geolocation, timeoutMs, extraMs } = parts
  if (!geolocation) return null
  const timeout = timeoutMs + (isIosSafari(parts) ? extraMs : 0)
  let timer: ReturnType<typeof setTimeout> | undefined
  const found = new Promise<Position | null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeout)
    try {
      geolocation.getCurrentPosition(
        ({ coords: { latitude, longitude } }) => resolve({ latitude, longitude }),
        () => resolve(null),
        { enableHighAccuracy: true, timeout, maximumAge: 0 },
      )
    } catch {
      resolve(null)
    }
  })
  return found.finally(() => clearTimeout(timer))
}

/** `35.658100,139.701700`; empty where there is none. */
export const placeText = (position: Position | null): string =>
  position ? `${position.latitude.toFixed(6)},${position.longitude.toFixed(6)}` : ''
