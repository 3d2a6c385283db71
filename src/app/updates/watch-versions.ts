/**
 * Registers the app's service worker and reports new versions (decisions/updates). A waiting version is reported
 * whichever tab has installed it, even if it was installed before this page opened, or after another version failed.
 */
import { ownScript } from '#lib/browser/own-script.ts'

interface VersionEvents {
  /** A version waits for activation. */
  onWaiting(): void
  /** Another version controls this page. @param isFirst true if no version controlled it before */
  onTaken(isFirst: boolean): void
}

export interface Versions {
  /** Starts reporting; a version that already waits is reported at once. */
  begin(): void
  /** The worker of the version that waits. */
  waiting(): ServiceWorker | null
  /** Checks for a new version. */
  check(): void
  /** Activates the waiting version. @returns false if no version waits */
  take(): boolean
}

/** Workbox's message to a waiting worker. */
const SKIP_WAITING = { type: 'SKIP_WAITING' }

type Container = Pick<
  ServiceWorkerContainer,
  'controller' | 'register' | 'getRegistration' | keyof Pick<EventTarget, 'addEventListener'>
>

/**
 * @param whenIdle delays the registration on a device without a worker, because the worker's download would compete with
 * the first list for the bandwidth (decisions/speed)
 */
export async function watchVersions(
  container: Container,
  events: VersionEvents,
  whenIdle: Promise<void>,
): Promise<Versions> {
  let isFirst = container.controller === null
  container.addEventListener('controllerchange', () => {
    events.onTaken(isFirst)
    isFirst = false
  })
  // The listener above also sees a version that another tab activates meanwhile.
  if (!(await container.getRegistration('/'))) await whenIdle
  const registration = await container.register(ownScript('/sw.js'), { scope: '/' })
  const report = () => {
    // Without an active version, the waiting version is the device's first version and activates by itself.
    if (registration.waiting && registration.active) events.onWaiting()
  }
  const watchInstallation = () => registration.installing?.addEventListener('statechange', report)
  return {
    begin() {
      // For an installation that began before this page opened there is no `updatefound` event.
      watchInstallation()
      registration.addEventListener('updatefound', watchInstallation)
      report()
    },
    waiting: () => registration.waiting,
    check: () => void registration.update().catch(() => undefined),
    take() {
      registration.waiting?.postMessage(SKIP_WAITING)
      return registration.waiting !== null
    },
  }
}
