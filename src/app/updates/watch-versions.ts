/**
 * The app's own service worker, and the versions that come after it (decisions/updates). One that waits is told of
 * whoever found it, however late this page came to it, and after one that failed.
 */
import { ownScript } from '#lib/browser/own-script.ts'

interface Told {
  /** A version waits to be taken. */
  onWaiting(): void
  /** Another version has this page. @param isFirst nothing had it before */
  onTaken(isFirst: boolean): void
}

export interface Versions {
  /** Tells of what waits from now on, and of what does already. */
  begin(): void
  /** The worker of the version that waits. */
  waiting(): ServiceWorker | null
  /** Looks for a new version. */
  look(): void
  /** @returns whether one waited, and was told to take over */
  take(): boolean
}

/** What a worker of Workbox hears. */
const TAKE_OVER = { type: 'SKIP_WAITING' }

type Container = Pick<
  ServiceWorkerContainer,
  'controller' | 'register' | 'getRegistration' | keyof Pick<EventTarget, 'addEventListener'>
>

/**
 * @param free a device that has no worker yet waits for it: until then its line is the first list's (decisions/speed)
 */
export async function watchVersions(
  container: Container,
  told: Told,
  free: Promise<void>,
): Promise<Versions> {
  let isFirst = container.controller === null
  container.addEventListener('controllerchange', () => {
    told.onTaken(isFirst)
    isFirst = false
  })
  // what another tab installs or takes over meanwhile is heard above
  if (!(await container.getRegistration('/'))) await free
  const registration = await container.register(ownScript('/sw.js'), { scope: '/' })
  const tell = () => {
    // the first one of a device waits for a moment, too
    if (registration.waiting && registration.active) told.onWaiting()
  }
  const follow = () => registration.installing?.addEventListener('statechange', tell)
  return {
    begin() {
      // a page that is opened while a version is being installed hears of it by no event
      follow()
      registration.addEventListener('updatefound', follow)
      tell()
    },
    waiting: () => registration.waiting,
    look: () => void registration.update().catch(() => undefined),
    take() {
      registration.waiting?.postMessage(TAKE_OVER)
      return registration.waiting !== null
    },
  }
}
