/**
 * Replaces React's `jsx-runtime` in builds (`jsxImportSource` in vite.config.ts): every JSX element passes through
 * `localizedProps`, which localizes the element's texts, before React creates it.
 */
import { Fragment, jsx as reactJsx, jsxs as reactJsxs } from 'react/jsx-runtime'
import { localizedProps, type Props } from './marked-text.ts'

export { Fragment }

export const jsx: typeof reactJsx = (type, props, key) =>
  reactJsx(type, localizedProps(type, props as Props), key)

export const jsxs: typeof reactJsxs = (type, props, key) =>
  reactJsxs(type, localizedProps(type, props as Props), key)
