/**
 * The JSX runtime of a build (`jsxImportSource` in vite.config.ts): marks the texts (`marked-text.ts`), then calls
 * React's.
 */
import { Fragment, jsx as reactJsx, jsxs as reactJsxs } from 'react/jsx-runtime'
import { drawnProps, type Props } from './marked-text.ts'

export { Fragment }

export const jsx: typeof reactJsx = (type, props, key) =>
  reactJsx(type, drawnProps(type, props as Props), key)

export const jsxs: typeof reactJsxs = (type, props, key) =>
  reactJsxs(type, drawnProps(type, props as Props), key)
