# French. Everything the component says.

## Roles (scopes, to programs): what somebody is in a group

scope-owner = Propriétaire
scope-admin = Admin
scope-moderator = Modération
scope-participant = Participant(e)

## Headings over the people of one role

section-owner = Propriétaire
section-admin = Admins
section-moderator = Modération
section-participant = Participants

## Whether somebody is there

status-online = En ligne
status-away = Absent(e)
status-offline = Hors ligne

## The list

members-title = Membres
members-search = Rechercher un membre
members-search-go = Rechercher
members-more = Afficher la suite
members-previous = Plus haut dans la liste
members-next = Membres suivants
members-online = { $n ->
    [one] { $count } en ligne
    [many] { $count } en ligne
   *[other] { $count } en ligne
}
members-filter = Filtre
filter-all = Tout le monde
filter-admins = Admins
filter-moderators = Modération
filter-online = En ligne
filter-joined = Arrivées de la dernière heure
members-found = { $n ->
    [one] { $count } résultat
    [many] { $count } de résultats
   *[other] { $count } résultats
}
members-bans-link = Bannissements
members-mutes-link = Parole retirée
members-page = { $group } : membres

group-members = { $n ->
    [one] { $count } membre
    [many] { $count } de membres
   *[other] { $count } membres
}

## A row

row-joined = Membre depuis le { $date }
row-you = vous
row-own-menu = Votre participation au groupe
row-menu = Actions pour { $name }
row-select = Sélectionner { $name }
row-selected = dans la sélection

## Nobody to show

empty-title = Aucun membre
empty-hint = Les personnes qui rejoignent le groupe s’affichent ici.
empty-search = Aucun résultat pour « { $search } »
empty-search-hint = Essayez une partie du nom, dans n’importe quelle écriture, avec ou sans accents.
empty-online = Personne en ligne
empty-online-hint = Les personnes qui se connectent s’affichent ici.
empty-filter = Personne ici
empty-filter-hint = Aucun membre ne correspond à ce filtre pour l’instant.
empty-clear = Afficher tout le monde

## Live, and what stands in its way

live-on = En direct
live-reconnecting = Reconnexion…
live-off = Le direct est interrompu. Rechargez la page pour voir les changements.
presence-batched = La liste des personnes en ligne est actualisée toutes les cinq secondes.
presence-counts = Il y a tant de monde en ligne que seul le nombre s’affiche en direct.
members-failed = Impossible d’afficher les membres.
request-failed = L’opération a échoué.
request-retry = Réessayer
held-changes = { $n ->
    [one] { $count } changement
    [many] { $count } de changements
   *[other] { $count } changements
}

## A spoken line about what changed lately: "3 joined, 1 left, Ana is now admin"

digest-joined = { $n ->
    [one] { $count } arrivée
    [many] { $count } d’arrivées
   *[other] { $count } arrivées
}
digest-left = { $n ->
    [one] { $count } départ
    [many] { $count } de départs
   *[other] { $count } départs
}
digest-removed = { $n ->
    [one] { $count } expulsion
    [many] { $count } d’expulsions
   *[other] { $count } expulsions
}
digest-changed = { $n ->
    [one] { $count } changement de rôle
    [many] { $count } de changements de rôle
   *[other] { $count } changements de rôle
}
digest-admin = { $name } est maintenant admin
digest-moderator = { $name } assure maintenant la modération
digest-participant = { $name } a maintenant le rôle de participant
digest-owner = { $name } est maintenant propriétaire

## Selecting people

selection-count = { $n ->
    [one] Sélection : { $count }
    [many] Sélection : { $count }
   *[other] Sélection : { $count }
}
selection-clear = Effacer la sélection
selection-all = Sélectionner tous les résultats
selection-done = Continuer
selection-full = Vous pouvez sélectionner { $count } personnes au maximum.
selection-first = Sélection : les { $count } premiers sur { $all }.
selection-page = Personnes sélectionnées
selection-none = Personne dans la sélection.
selection-choose = Sélectionnez au moins une personne.
selection-fewer = Cela fait trop de personnes à la fois. Sélectionnez-en moins.
selection-gone = { $n ->
    [one] { $count } personne n’est plus membre.
    [many] { $count } de personnes ne sont plus membres.
   *[other] { $count } personnes ne sont plus membres.
}

## When the viewer is out

ended-kicked = Votre accès à ce groupe a été retiré
ended-kicked-hint = Vous pouvez revenir : rejoignez à nouveau le groupe ou demandez qu’on vous y ajoute.
ended-banned = L’accès à ce groupe vous est interdit
ended-deleted = Ce groupe n’existe plus
ended-deleted-hint = Ses membres ne sont plus affichés.
ended-left = Vous ne faites plus partie de ce groupe
ended-left-hint = Vous pouvez revenir : rejoignez à nouveau le groupe ou demandez qu’on vous y ajoute.

## Out of the group, and at its door

left-title = Vous avez quitté { $group }
left-untold = Vous avez quitté le groupe
left-ask = Pour revenir, demandez qu’on vous y ajoute.
act-join-again = Rejoindre à nouveau
banned-until = Vous ne pouvez pas revenir avant le { $time }.
banned-for-good = Le bannissement n’a pas de date de fin : vous ne pourrez revenir que s’il est levé.
muted-until = Parole retirée jusqu’au { $time }
muted-you = Vous ne pouvez pas écrire dans ce groupe avant le { $time }.
scope-until = Jusqu’au { $time }
scope-you-admin = Vous êtes admin jusqu’au { $time }.
scope-you-moderator = Vous assurez la modération jusqu’au { $time }.
told = Message de l’équipe : { $message }
group-password-missing = Saisissez le mot de passe du groupe.
selection-back = Modifier la sélection

## Acts, in a menu

act-kick = Expulser
act-ban = Bannir
act-unban = Débannir
act-mute = Retirer la parole
act-unmute = Rendre la parole
act-scope = Changer le rôle
act-scope-own = Renoncer à votre rôle
act-transfer = Transférer la propriété
act-leave = Quitter le groupe
act-cancel = Annuler
act-close = Fermer

## Acts, as forms: the question over the form

ask-kick = Expulser { $name } ?
ask-ban = Bannir { $name } ?
ask-unban = Débannir { $name } ?
ask-mute = Retirer la parole à { $name } ?
ask-unmute = Rendre la parole à { $name } ?
ask-scope = Donner un autre rôle à { $name }
ask-scope-own = Renoncer à votre rôle
ask-transfer = Transférer le groupe à { $name } ?
ask-leave = Quitter le groupe ?

## Acts, as forms: what will happen

hint-kick = Cette personne quitte le groupe immédiatement, mais peut revenir.
hint-ban = Cette personne quitte le groupe immédiatement et ne peut pas revenir tant que dure le bannissement. La modération, les admins et le ou la propriétaire voient ce que vous écrivez pour l’équipe.
hint-unban = Cette personne peut à nouveau entrer, mais ne redevient pas membre automatiquement.
hint-mute = Cette personne reste dans le groupe mais ne peut plus écrire tant que la parole ne lui est pas rendue. La modération, les admins et le ou la propriétaire voient ce que vous écrivez pour l’équipe.
hint-unmute = Cette personne peut de nouveau écrire dès maintenant.
hint-scope = Ce que cette personne peut faire change immédiatement. Tout le monde voit le nouveau rôle.
hint-scope-own = Vous renoncez à des droits. Seule une personne au-dessus de vous peut vous les rendre.
hint-transfer = Cette personne prend le contrôle total du groupe et vous devenez admin. Elle seule peut vous le rendre.
hint-leave = Vous ne serez plus membre. Pour revenir, rejoignez à nouveau le groupe ou demandez qu’on vous y ajoute.
hint-leave-alone = Il n’y a personne d’autre dans le groupe. Le groupe est conservé et appartiendra au serveur.

## Acts, as forms: the button that does it

do-kick = Expulser { $name }
do-ban = Bannir { $name }
do-unban = Débannir { $name }
do-mute = Retirer la parole à { $name }
do-unmute = Rendre la parole à { $name }
do-scope = Enregistrer
do-transfer = Transférer le groupe à { $name }
do-leave = Quitter le groupe

## The form of a ban

ban-reason = Pour l’équipe
ban-message = Message à la personne
ban-for = Durée
ban-hour = 1 heure
ban-day = 1 jour
ban-week = 7 jours
ban-forever = Jusqu’à nouvel ordre
for-minutes = 5 minutes
for-other = Autre date de fin
for-hours = Nombre d’heures
for-day = Ou jusqu’à la fin d’une journée (UTC)
scope-forever = Jusqu’à nouvel ordre
scope-end-now = Mettre fin au rôle maintenant
scope-legend = Rôle
batch-will-kick = { $n ->
    [one] { $count } personne sera expulsée du groupe.
    [many] { $count } de personnes seront expulsées du groupe.
   *[other] { $count } personnes seront expulsées du groupe.
}
batch-will-ban = { $n ->
    [one] { $count } personne sera bannie.
    [many] { $count } de personnes seront bannies.
   *[other] { $count } personnes seront bannies.
}
batch-will-mute = { $n ->
    [one] La parole sera retirée à { $count } personne.
    [many] La parole sera retirée à { $count } de personnes.
   *[other] La parole sera retirée à { $count } personnes.
}
batch-will-scope = { $n ->
    [one] { $count } personne aura le nouveau rôle.
    [many] { $count } de personnes auront le nouveau rôle.
   *[other] { $count } personnes auront le nouveau rôle.
}
batch-cannot = Impossible pour { $count } :
batch-unchanged = Rien à changer
batch-refused-oneself = Vous-même
batch-refused-equal = Même rôle que vous
batch-refused-above = Rôle supérieur au vôtre
batch-refused-grant = Nouveau rôle supérieur au vôtre
batch-refused-scope-ends = Rôle permanent déjà égal ou supérieur
batch-refused-not-a-member = Pas dans le groupe
batch-refused-changed = Changement entre-temps
batch-refused-too-late = Action trop ancienne
batch-refused-overtaken = Nouveau changement depuis
batch-hint-kick = Les personnes concernées quittent le groupe immédiatement, mais peuvent revenir.
batch-hint-ban = Les personnes concernées quittent le groupe immédiatement et ne peuvent pas revenir tant que dure le bannissement. La modération, les admins et le ou la propriétaire voient ce que vous écrivez pour l’équipe.
batch-hint-mute = Les personnes concernées restent dans le groupe mais ne peuvent plus écrire tant que la parole ne leur est pas rendue. La modération, les admins et le ou la propriétaire voient ce que vous écrivez pour l’équipe.
batch-hint-scope = Ce que les personnes concernées peuvent faire change immédiatement. Tout le monde voit le nouveau rôle.

## What came of an act, on a page without JavaScript

done-kick = { $name } ne fait plus partie du groupe.
done-ban = L’accès au groupe est maintenant interdit à { $name }.
done-unban = { $name } peut à nouveau entrer.
done-mute = { $name } ne peut plus écrire pour l’instant.
done-unmute = { $name } peut de nouveau écrire.
done-scope = { $name } a maintenant un autre rôle.
done-transfer = Le groupe appartient maintenant à { $name }.
done-undo = L’action concernant { $name } a été annulée.
done-note-added = Votre note sur { $name } a été ajoutée.
done-note-removed = La note sur { $name } a été supprimée.
batch-done-kick = { $n ->
    [one] { $count } personne ne fait plus partie du groupe.
    [many] { $count } de personnes ne font plus partie du groupe.
   *[other] { $count } personnes ne font plus partie du groupe.
}
batch-done-ban = { $n ->
    [one] L’accès au groupe est maintenant interdit à { $count } personne.
    [many] L’accès au groupe est maintenant interdit à { $count } de personnes.
   *[other] L’accès au groupe est maintenant interdit à { $count } personnes.
}
batch-done-mute = { $n ->
    [one] { $count } personne ne peut plus écrire pour l’instant.
    [many] { $count } de personnes ne peuvent plus écrire pour l’instant.
   *[other] { $count } personnes ne peuvent plus écrire pour l’instant.
}
batch-done-scope = { $n ->
    [one] { $count } personne a maintenant un autre rôle.
    [many] { $count } de personnes ont maintenant un autre rôle.
   *[other] { $count } personnes ont maintenant un autre rôle.
}
batch-done-undo = { $n ->
    [one] L’action concernant { $count } personne a été annulée.
    [many] L’action concernant { $count } de personnes a été annulée.
   *[other] L’action concernant { $count } personnes a été annulée.
}
undo-button = Annuler l’action
undo-left = { $count }s
done-join = Vous êtes maintenant membre.

## Why an act is refused

refused-participant = Avec le rôle de participant, vous ne pouvez faire cela à personne.
refused-oneself = C’est vous.
refused-equal-owner = Ce n’est possible qu’avec les personnes au-dessous de vous, et cette personne a le même rôle que vous : propriétaire.
refused-equal-admin = Ce n’est possible qu’avec les personnes au-dessous de vous, et cette personne a le même rôle que vous : admin.
refused-equal-moderator = Ce n’est possible qu’avec les personnes au-dessous de vous, et cette personne a le même rôle que vous : modération.
refused-equal-participant = Ce n’est possible qu’avec les personnes au-dessous de vous, et cette personne a le même rôle que vous : participant.
refused-above-owner = Ce n’est possible qu’avec les personnes au-dessous de vous, et cette personne a un rôle supérieur au vôtre : propriétaire.
refused-above-admin = Ce n’est possible qu’avec les personnes au-dessous de vous, et cette personne a un rôle supérieur au vôtre : admin.
refused-above-moderator = Ce n’est possible qu’avec les personnes au-dessous de vous, et cette personne a un rôle supérieur au vôtre : modération.
refused-above-participant = Ce n’est possible qu’avec les personnes au-dessous de vous, et cette personne a un rôle supérieur au vôtre : participant.
refused-owner-only = Il faut être propriétaire pour transférer le groupe.
refused-grant-owner = Vous pouvez donner au plus votre propre rôle : propriétaire.
refused-grant-admin = Vous pouvez donner au plus votre propre rôle : admin.
refused-grant-moderator = Vous pouvez donner au plus votre propre rôle : modération.
refused-grant-participant = Vous pouvez donner au plus votre propre rôle : participant.
refused-self-ban = Vous ne pouvez pas vous bannir. Pour partir, quittez le groupe.
refused-self-mute = Vous ne pouvez ni vous retirer ni vous rendre la parole.
refused-scope-ends = Un rôle ne peut prendre fin que s’il est supérieur à celui que la personne aurait sinon.
refused-not-a-member = Cette personne ne fait pas partie de ce groupe.
refused-owner-must-transfer = Le groupe ne peut pas rester sans propriétaire : transférez-le d’abord à quelqu’un.
refused-not-undoable = On ne peut annuler qu’une expulsion, un bannissement, un retrait de parole ou un changement de rôle, ou le fait d’avoir débanni quelqu’un ou de lui avoir rendu la parole, quand un membre l’a fait à une autre personne.
refused-not-theirs-to-undo = Seule la personne qui l’a fait, ou quelqu’un au-dessus d’elle, peut l’annuler.
refused-not-theirs-to-remove = Seule la personne qui a écrit cette note, ou quelqu’un au-dessus d’elle, peut la supprimer.
refused-banned = L’accès à ce groupe vous est interdit.
refused-password = Ce n’est pas le mot de passe du groupe.
refused-rights-changed = Son rôle ou le vôtre a changé entre-temps.
refused-changed-since-shown = La situation a changé entre-temps. Vérifiez avant de réessayer.

## A field of a form that cannot be taken as it is

field-scope = Choisissez un rôle.
field-end = { $n ->
    [one] Choisissez une date de fin dans un délai de { $count } jour au maximum.
    [many] Choisissez une date de fin dans un délai de { $count } de jours au maximum.
   *[other] Choisissez une date de fin dans un délai de { $count } jours au maximum.
}
field-ends = Indiquez un nombre d’heures ou un jour, pas les deux.
field-long = { $n ->
    [one] Ce texte est trop long : { $count } caractère au maximum.
    [many] Ce texte est trop long : { $count } de caractères au maximum.
   *[other] Ce texte est trop long : { $count } caractères au maximum.
}
field-odd = Ce texte contient un caractère qui ne peut pas être affiché. Supprimez-le ou récrivez le texte.

## Who changed it meanwhile, behind a refusal. $by is a name, $time a moment such as "2 May 2024, 14:03".

changed-scope-admin = { $by } a donné à { $name } le rôle d’admin ({ $time }).
changed-scope-moderator = { $by } a confié la modération à { $name } ({ $time }).
changed-scope-participant = { $by } a donné à { $name } le rôle de participant ({ $time }).
changed-owner = { $by } a transféré le groupe ({ $time }).
changed-kicked = { $by } a expulsé { $name } ({ $time }).
changed-banned = { $by } a banni { $name } ({ $time }).
changed-muted = { $by } a retiré la parole à { $name } ({ $time }).
changed-unmuted = { $by } a rendu la parole à { $name } ({ $time }).
changed-left = { $name } a quitté le groupe ({ $time }).
the-host = Le serveur
the-team = L’équipe

## Errors: a title, and what to do

error-not-found = Introuvable
error-not-found-hint = Ce groupe n’existe pas, ou vous n’y avez pas accès.
error-not-a-member = Pas membre
error-not-allowed = Non autorisé
error-not-undone = Action non annulée
undo-too-late = L’action est trop ancienne pour être annulée.
undo-overtaken = La situation a changé entre-temps, l’action n’a donc pas été annulée.
error-not-any-more = Ce n’est plus possible
error-owner-must-stay = Pas de groupe sans propriétaire
error-banned = Accès interdit
error-bad-request = Cette requête est illisible
error-invalid = Une valeur n’est pas autorisée
error-sign-in = Connectez-vous
error-sign-in-hint = Il faut un jeton viewer, en bearer ou dans le cookie de session.
error-sign-in-again = Reconnectez-vous
error-token-expired = Le jeton a expiré.
error-signed-out = Toutes vos sessions ont été fermées.
error-too-large = Trop volumineux
error-too-large-hint = Le contenu de cette requête est trop volumineux.
error-too-fast = Trop vite
error-too-fast-hint = { $n ->
    [one] Réessayez dans { $count } seconde.
    [many] Réessayez dans { $count } de secondes.
   *[other] Réessayez dans { $count } secondes.
}
error-unavailable = Impossible pour le moment
error-unavailable-hint = Rien n’a été modifié. Réessayez dans un instant.
error-unsure = Peut-être fait, peut-être pas
error-unsure-hint = La réponse n’est pas arrivée à temps. Vérifiez si c’est fait avant de réessayer.
error-internal = Un problème est survenu de notre côté
error-internal-hint = Indiquez ce numéro si vous nous le signalez : { $number }

## Whole pages

page-back = Retour
page-members = Membres
page-not-a-member = Vous ne faites pas partie de ce groupe.
page-refused = Impossible
group-join-password = Il suffit de connaître le mot de passe pour rejoindre le groupe.
group-join = Tout le monde peut rejoindre le groupe.
group-password = Mot de passe
act-join = Rejoindre

## Who is banned

bans-title = { $group } : bannissements
bans-search = Rechercher un bannissement
bans-none = Aucun bannissement
bans-no-reason = Aucun motif indiqué.
bans-until = Jusqu’au { $time }.
bans-forever = Jusqu’à nouvel ordre.
bans-by = Bannissement décidé par : { $by }, { $time }.
mutes-by = Parole retirée par : { $by }, { $time }.
mutes-title = { $group } : parole retirée
mutes-search = Rechercher une personne
mutes-none = Personne n’est privé de parole
notes-label = Notes
notes-title = Notes sur { $name }
notes-hint = Seuls les membres de l’équipe au-dessus de cette personne peuvent lire ces notes. Elle n’en est pas informée.
notes-none = Pas encore de notes
notes-count = Notes : { $count }
notes-by = { $by }, { $time }
notes-text = Note
notes-missing = Écrivez d’abord la note.
notes-full = Le nombre maximal de notes sur cette personne est atteint. Supprimez-en d’abord une.
notes-add = Ajouter la note
notes-remove = Supprimer

## The feed of changes

feed-title = { $group } : changements
feed-joined = { $name } a rejoint le groupe
feed-added = { $by } a ajouté { $name }
feed-left = { $name } a quitté le groupe
feed-kicked = { $by } a expulsé { $name }
feed-banned = { $by } a banni { $name }
feed-unbanned = { $by } a débanni { $name }
feed-muted = { $by } a retiré la parole à { $name }
feed-unmuted = { $by } a rendu la parole à { $name }
feed-scope-admin = { $by } a donné à { $name } le rôle d’admin
feed-scope-moderator = { $by } a confié la modération à { $name }
feed-scope-participant = { $by } a donné à { $name } le rôle de participant
feed-owner = Le groupe appartient maintenant à { $name }
feed-updated = { $name } a changé de nom ou de photo
feed-note-added = { $by } a ajouté une note sur { $name }
feed-note-removed = { $by } a supprimé une note sur { $name }
feed-synced = Les membres ont été synchronisés avec le serveur
feed-group-created = Le groupe a été créé
feed-group-updated = Le nom, la photo ou la description du groupe a changé
feed-group-deleted = Le groupe a été supprimé
