import { useRouter, type HistoryLocation, type RouterHistory } from '@tanstack/react-router'
import type { ComponentType, MouseEvent } from 'react'
import { ButtonAnchor } from './button.tsx'
import { isPlainClick } from '#ui/base/press-guard.ts'

/** Turns an anchor component into a link to a path that is a plain string, as createLink does for typed routes. */
export const createPathLink = <Props extends object>(Anchor: ComponentType<Props>) =>
  function PathLink({ path, ...props }: Omit<Props, 'href' | 'onClick'> & { path: string }) {
    const { history } = useRouter()
    const onClick = (event: MouseEvent<HTMLAnchorElement>) => {
      if (!isPlainClick(event) || event.defaultPrevented) return
      event.preventDefault()
      pushOnce(history, path)
    }
    // TypeScript cannot infer that these together are `Props`.
    const all: object = { ...props, href: path, onClick }
    return <Anchor {...(all as Props)} />
  }

export const PathButton = createPathLink(ButtonAnchor)
/** Key in an overlay's history entry. It names the screen below, so that both share one scroll position. */
const SCREEN_BELOW = 'placeOf'

/** Pushes the URL of an overlay without scrolling the page. @param mark key by which closing knows to go back */
export function pushOver(history: RouterHistory, path: string, mark: string): void {
  pushOnce(history, path, { [mark]: true, [SCREEN_BELOW]: placeKey(history.location) })
}

/** Returns the key for the router's `getScrollRestorationKey`. Entries with equal keys share one scroll position. */
export function placeKey({ state, href }: Pick<HistoryLocation, 'state' | 'href'>): string {
  const below: unknown = Reflect.get(state, SCREEN_BELOW)
  return typeof below === 'string' ? below : (state.__TSR_key ?? href)
}

/** True for an entry that `pushOver` has pushed: the screen below it stays where it is. */
export const isOverScreen = ({ state }: Pick<HistoryLocation, 'state'>): boolean =>
  typeof Reflect.get(state, SCREEN_BELOW) === 'string'

/** Pushes a path once, because a second tap before the next screen renders would push it twice. */
export function pushOnce(history: RouterHistory, path: string, state?: object): void {
  if (history.location.href !== path) history.push(path, state)
}
