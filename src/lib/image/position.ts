/**
 * Reads the device's position for a photo (spec 3, 9): high accuracy, within 5 seconds. It never rejects and always
 * ends, because a photo is valid without a position. Loaded with the first photo.
 *
 * Safari on iPhone and iPad is the "one mobile browser" of the spec with 2 extra seconds: it counts the time of the
 * permission prompt against the timeout. A timer of the page limits the total, because some browsers never call back
 * if the prompt is ignored.
 */
import { GEOLOCATION_EXTRA_MS, GEOLOCATION_TIMEOUT_MS } from '#schemas/limits.ts'

interface Position {
  latitude: number
  longitude: number
}

type Agent = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>

/** The part of `navigator` that is used here. */
interface PositionSource extends Agent {
  /** Undefined without a secure context. */
  geolocation: Pick<Geolocation, 'getCurrentPosition'> | undefined
}

/** Safari on iPad identifies itself as a Mac, but has a touch screen. */
export const isIosSafari = ({ userAgent, maxTouchPoints }: Agent): boolean =>
  (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)) &&
  /AppleWebKit/.test(userAgent)

/** @returns the position; null if it is not available in time or not permitted */
export async function currentPosition(device: PositionSource): Promise<Position | null> {
  const { geolocation } = device
  if (!geolocation) return null
  const timeout = GEOLOCATION_TIMEOUT_MS + (isIosSafari(device) ? GEOLOCATION_EXTRA_MS : 0)
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

/** Example: `35.658100,139.701700`. Empty without a position. */
export const placeText = (position: Position | null): string =>
  position ? `${position.latitude.toFixed(6)},${position.longitude.toFixed(6)}` : ''
