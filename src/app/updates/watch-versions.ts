/**
 * Registers the app's service worker and reports new versions (decisions/updates): a waiting one whichever tab found it,
 * also if it waited before this page opened, and after one that failed.
 */
import { ownScript } from '#lib/browser/own-script.ts'

interface VersionEvents {
  /** A version waits for activation. */
  onWaiting(): void
  /** Another version controls this page. @param isFirst no version did before */
  onTaken(isFirst: boolean): void
}

export interface Versions {
  /** Starts reporting; a version that already waits is reported at once. */
  begin(): void
  /** The worker of the version that waits. */
  waiting(): ServiceWorker | null
  /** Checks for a new version. */
  check(): void
  /** Activates the waiting version. @returns false if none waits */
  take(): boolean
}

/** Workbox's message to a waiting worker. */
const TAKE_OVER = { type: 'SKIP_WAITING' }

type Container = Pick<
  ServiceWorkerContainer,
  'controller' | 'register' | 'getRegistration' | keyof Pick<EventTarget, 'addEventListener'>
>

/**
 * @param free a first visit registers the worker after it: until then the first list needs the bandwidth (decisions/speed)
 */
export async function watchVersions(
  container: Container,
  events: VersionEvents,
  free: Promise<void>,
): Promise<Versions> {
  let isFirst = container.controller === null
  container.addEventListener('controllerchange', () => {
    events.onTaken(isFirst)
    isFirst = false
  })
  // listeners above already see what another tab installs or activates meanwhile
  if (!(await container.getRegistration('/'))) await free
  const registration = await container.register(ownScript('/sw.js'), { scope: '/' })
  const report = () => {
    // a device's first version is briefly waiting, too
    if (registration.waiting && registration.active) events.onWaiting()
  }
  const follow = () => registration.installing?.addEventListener('statechange', report)
  return {
    begin() {
      // no event reports an installation that began before this page opened
      follow()
      registration.addEventListener('updatefound', follow)
      report()
    },
    waiting: () => registration.waiting,
    check: () => void registration.update().catch(() => undefined),
    take() {
      registration.waiting?.postMessage(TAKE_OVER)
      return registration.waiting !== null
    },
  }
}
