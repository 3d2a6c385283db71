/** Links to a path that is known as text only, beside PathButton: apart, for the first screen needs none of these. */
import { ActionAnchor } from './action-bar.tsx'
import { StatusAnchor } from './links.tsx'
import { createPathLink } from './path-link.tsx'

export const PathAction = createPathLink(ActionAnchor)
export const PathStatus = createPathLink(StatusAnchor)
