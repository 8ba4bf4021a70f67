/** The text of an SQL file. @see https://vite.dev/guide/assets#importing-asset-as-string */
declare module '*.sql?raw' {
  const text: string
  export default text
}
