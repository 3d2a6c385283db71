// oxlint-disable-next-line no-restricted-imports -- all other files must use this module instead of `lazy`
import { type ComponentType, createElement, lazy, useEffect, useState } from 'react'
import { loadedOnce } from '#lib/browser/missing-code.ts'

type LazyCode<P> = ComponentType<P> & {
  /** Loads the code in advance. @throws if loading fails; the next call tries again */
  ahead(): Promise<void>
}

/** React's `lazy` that renders preloaded code at once. `lazy` would show its fallback for at least 300 ms. */
export function lazyCode<P extends object>(load: () => Promise<ComponentType<P>>): LazyCode<P> {
  let component: ComponentType<P> | null = null
  const loaded = loadedOnce(async () => (component = await load()))
  const Later = lazy(async () => ({ default: await loaded() }))
  function Lazy(props: P) {
    // `Code` is fixed at mount, because a later change would remount the component and lose the component's state.
    const [Code] = useState<ComponentType<P>>(() => component ?? Later)
    return createElement(Code, props)
  }
  return Object.assign(Lazy, { ahead: async () => void (await loaded()) })
}

/** The page is drawn by then: beginning to load code takes a frame of a slow phone. */
const AHEAD_AFTER_MS = 500

/** Loads code shortly after the component appears, or after `isWanted` becomes true. After a failure, its use loads it. */
export function useAhead({ ahead }: Pick<LazyCode<object>, 'ahead'>, isWanted = true): void {
  useEffect(() => {
    if (!isWanted) return undefined
    const timer = setTimeout(() => void ahead().catch(() => undefined), AHEAD_AFTER_MS)
    return () => clearTimeout(timer)
  }, [ahead, isWanted])
}
