import { useRouter } from '@tanstack/react-router'
import type { ComponentType, MouseEvent } from 'react'
import { ButtonAnchor } from './button.tsx'
import { isPlainClick } from '#ui/base/plain-click.ts'
import { pushOnce } from './push-once.ts'

interface PathAnchor {
  href: string
  onClick: (event: MouseEvent<HTMLAnchorElement>) => void
}

/** Returns the attributes of a link to a path that is a plain string. */
function usePathAnchor(path: string): PathAnchor {
  const { history } = useRouter()
  return {
    href: path,
    onClick(event) {
      if (!isPlainClick(event) || event.defaultPrevented) return
      event.preventDefault()
      pushOnce(history, path)
    },
  }
}

/** Turns an anchor component into a link to a path that is a plain string, as createLink does for typed routes. */
export function createPathLink<Props extends object>(Anchor: ComponentType<Props>) {
  return function PathLink({ path, ...props }: Omit<Props, keyof PathAnchor> & { path: string }) {
    const anchor = usePathAnchor(path)
    // TypeScript cannot infer that `props` and `anchor` together are `Props`.
    const rest: object = props
    return <Anchor {...(rest as Props)} {...anchor} />
  }
}

export const PathButton = createPathLink(ButtonAnchor)
