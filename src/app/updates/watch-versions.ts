/**
 * Registers the app's service worker and reports new versions (decisions/updates). A waiting version is reported in
 * every tab, also if it was installed before the tab opened.
 */
import { ownScript } from '#lib/browser/own-script.ts'

interface VersionEvents {
  onWaiting(): void
  /**
   * Called when another version takes control of this page.
   * @param isFirst true if no version controlled the page before
   */
  onTaken(isFirst: boolean): void
}

export interface Versions {
  /** Starts to call `onWaiting`; at once if a version already waits. */
  begin(): void
  waiting(): ServiceWorker | null
  check(): void
  /** Activates the waiting version. @returns false if no version waits */
  take(): boolean
}

/** Message that makes a Workbox worker activate itself. */
const SKIP_WAITING = { type: 'SKIP_WAITING' }

type Container = Pick<
  ServiceWorkerContainer,
  'controller' | 'register' | 'getRegistration' | 'addEventListener'
>

/**
 * @param whenIdle delays the first registration on a device, so that the worker's download does not slow down the first
 * list (decisions/speed)
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
  if (!(await container.getRegistration('/'))) await whenIdle
  const registration = await container.register(ownScript('/sw.js'), { scope: '/' })
  const report = () => {
    // The first version on a device activates itself, so it is not reported as waiting.
    if (registration.waiting && registration.active) events.onWaiting()
  }
  const watchInstallation = () => registration.installing?.addEventListener('statechange', report)
  return {
    begin() {
      // An installation that is already running sends no `updatefound` event.
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
