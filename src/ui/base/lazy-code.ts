// oxlint-disable-next-line no-restricted-imports -- all other files must use this module instead of `lazy`
import { type ComponentType, createElement, lazy, useState } from 'react'
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
