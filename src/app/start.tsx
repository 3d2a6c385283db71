import '#ui/styles/index.css'
import { i18n } from '@lingui/core'
import type { ReactElement } from 'react'
import { LONG_WAIT_MS } from '#lib/long-wait.ts'
import { watchMissingCode } from '#lib/missing-code.ts'
import { watchTouches } from '#lib/user-timing.ts'
import { firstMessages } from '#messages/first-messages.ts'
import { App } from './app.tsx'
import { boot } from './boot.ts'
import { fetchAhead } from './fetch-ahead.ts'
import { fetchListAhead } from './fetch-list-ahead.ts'
import { listRead, showsKeptRows, takeFirstList, takeTaps, untilDrawable } from './first-rows.ts'
import { followFirstRows, shellUser } from './kept-shell.ts'
import { letGoWhenPutAside } from './put-aside.ts'
import { createAppRouter, type AppRouter } from './router.tsx'
import { watchTimeout } from './watch-timeout.ts'

/** The screen of this address with its code. */
async function loadScreen(router: AppRouter): Promise<void> {
  await router.load()
  await Promise.all(
    router.state.matches.map(async ({ routeId }) => router.loadRouteChunk(router.routesById[routeId])),
  )
}

/** What the list is drawn with, or else what a user's data are opened with, is fetched while session and settings are read. */
function loadAhead(isListKept: boolean): void {
  const wanted = isListKept
    ? [import('#features/request/visit-days.tsx')]
    : [import('./network.ts'), import('./user-data.ts')]
  void Promise.allSettled(wanted)
}

/** Boots the app, and gives what is to be rendered into `root`; where it cannot begin, what says so. */
export async function start(root: HTMLElement): Promise<ReactElement> {
  const begun = whileItBegins()
  try {
    return await begin(root)
  } catch (error) {
    // there may be no error log
    console.error(error)
    const { NotStarted } = await import('./not-started.tsx')
    return <NotStarted error={error} />
  } finally {
    begun()
  }
}

/** A device that does not answer lets the app neither begin nor fail. @returns to be called once it has done either */
function whileItBegins(): () => void {
  let isOver = false
  let takeAway = () => undefined as void
  const say = async () => {
    const { sayNotYet } = await import('./not-started.tsx')
    if (!isOver) takeAway = sayNotYet()
  }
  const timer = setTimeout(() => void say().catch(console.error), LONG_WAIT_MS)
  return () => {
    isOver = true
    clearTimeout(timer)
    takeAway()
  }
}

async function begin(root: HTMLElement): Promise<ReactElement> {
  fetchAhead(document, 'rest')
  letGoWhenPutAside(window)
  watchTouches(window)
  watchMissingCode(window)
  const taps = (await showsKeptRows(root)) ? takeTaps(root) : null
  const first = takeFirstList(root)
  if (first || shellUser() !== null) loadAhead(first !== null)
  // Chromium has its own; Safari does not yet
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
  // each text is compiled into the module that says it (decision 0053)
  i18n.loadAndActivate({ locale: 'ja', messages: {} })
  const booted = await boot(first)
  followFirstRows(root, booted)
  const router = createAppRouter(booted.sessions.get, booted.report)
  const routeShown = () => router.state.matches.at(-1)?.fullPath ?? ''
  void booted.drawn.done.then(() => booted.figures.watch(routeShown)).catch(booted.report)
  if (booted.sessions.get() === null) void booted.drawn.done.then(() => fetchListAhead(document, fetch))
  const timeout = watchTimeout({ ...booted.services, text: i18n._(firstMessages.ec00005), router, window })
  const screen = loadScreen(router)
  if (taps) await untilDrawable(taps, Promise.all([listRead(booted), screen]))
  // the first thing drawn is a screen, not the wait for one
  await Promise.all([loadScreen(router), booted.lockAsked])
  return <App {...booted} router={router} timeout={timeout} />
}
