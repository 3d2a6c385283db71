/** Replaces React's `jsx-runtime` in builds (vite.config.ts): `localizedProps` localizes each element's texts. */
import { Fragment, jsx as reactJsx, jsxs as reactJsxs } from 'react/jsx-runtime'
import { localizedProps, type Props } from './marked-text.ts'

export { Fragment }

export const jsx: typeof reactJsx = (type, props, key) =>
  reactJsx(type, localizedProps(type, props as Props), key)

export const jsxs: typeof reactJsxs = (type, props, key) =>
  reactJsxs(type, localizedProps(type, props as Props), key)
