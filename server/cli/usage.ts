/** What the program can do: of `npm start -- --help`, and of the container's. */
export const usage = `Usage: npm start                 serves the site; settings come from the environment and .env
       npm run COMMAND -- --help

  seed         fills the gallery with posts of the sample prompts
  account      lists, makes, changes and deletes local accounts
  backup       copies database, images and secret while the server runs
  restore      puts a backup back
  check-data   says whether everything that is kept is whole, and mends it
  doctor       says whether the set-up works

Without npm: node server/main.js COMMAND.`
