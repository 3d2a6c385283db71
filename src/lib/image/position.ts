/**
 * The device's position for a photo (spec 3, 9) within 5 s. Never rejects, because a photo is valid without it.
 * Safari on iPhone and iPad gets 2 s more, for the prompt. The page's own timer ends an ignored prompt.
 */
import { GEOLOCATION_EXTRA_MS, GEOLOCATION_TIMEOUT_MS } from '#schemas/limits.ts'

type Position = { latitude: number; longitude: number }

type Agent = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>

type PositionSource = Agent & { geolocation: Pick<Geolocation, 'getCurrentPosition'> | undefined }

/** True for Safari on iPhone and iPad. On an iPad it calls itself a Mac, but has a touch screen. */
export const isIosSafari = ({ userAgent, maxTouchPoints }: Agent): boolean =>
  (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)) &&
  /AppleWebKit/.test(userAgent)

/** @returns null if there is no position in time or no permission */
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

/** Example: `35.658100,139.701700`. '' without a position. */
export const placeText = (position: Position | null): string =>
  position ? `${position.latitude.toFixed(6)},${position.longitude.toFixed(6)}` : ''
