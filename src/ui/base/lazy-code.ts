// oxlint-disable-next-line no-restricted-imports -- this is what the rule leads to
import { type ComponentType, createElement, lazy, useState } from 'react'
import { loadedOnce } from '#lib/browser/loaded-once.ts'

/** A component whose code is loaded on demand. */
type LazyCode<P> = ComponentType<P> & {
  /** Loads the code before it is rendered. @throws if loading fails; the next call tries again */
  ahead(): Promise<void>
}

/**
 * Works like React's `lazy` inside a `Suspense`, but renders preloaded code at once. `lazy` would show the fallback,
 * which React keeps for at least 300 ms.
 * @param load resolves to the component
 */
export function lazyCode<P extends object>(load: () => Promise<ComponentType<P>>): LazyCode<P> {
  let here: ComponentType<P> | null = null
  const loaded = loadedOnce(async () => (here = await load()))
  const Later = lazy(async () => ({ default: await loaded() }))
  function Lazy(props: P) {
    // A mounted placeholder stays the same component after the code has loaded.
    const [Code] = useState<ComponentType<P>>(() => here ?? Later)
    return createElement(Code, props)
  }
  return Object.assign(Lazy, { ahead: async () => void (await loaded()) })
}
