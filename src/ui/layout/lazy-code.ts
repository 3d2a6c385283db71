// oxlint-disable-next-line no-restricted-imports -- this is what the rule leads to
import { type ComponentType, createElement, lazy, useState } from 'react'
import { loadedOnce } from '#lib/browser/loaded-once.ts'

/** A component whose code comes later. */
type LazyCode<P> = ComponentType<P> & {
  /** Fetches the code before it is drawn. @throws where it cannot be had; the next one asks again */
  ahead(): Promise<void>
}

/**
 * As React's `lazy`, inside a `Suspense`; but what was fetched ahead is drawn at once. `lazy` draws the fallback even then,
 * and React keeps a fallback for 300 ms.
 * @param load the component's code
 */
export function lazyCode<P extends object>(load: () => Promise<ComponentType<P>>): LazyCode<P> {
  let here: ComponentType<P> | null = null
  const loaded = loadedOnce(async () => (here = await load()))
  const Later = lazy(async () => ({ default: await loaded() }))
  function Lazy(props: P) {
    // what stands there stays the same component when the code comes
    const [Code] = useState<ComponentType<P>>(() => here ?? Later)
    return createElement(Code, props)
  }
  return Object.assign(Lazy, { ahead: async () => void (await loaded()) })
}
