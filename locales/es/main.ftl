# Spanish. Everything the component says.

## Roles (scopes, to programs): what somebody is in a group

scope-owner = Propietario/a
scope-admin = Admin
scope-moderator = Moderador/a
scope-participant = Participante

## Headings over the people of one role

section-owner = Propietario/a
section-admin = Admins
section-moderator = Moderación
section-participant = Participantes

## Whether somebody is there

status-online = En línea
status-away = Ausente
status-offline = Sin conexión

## The list

members-title = Miembros
members-search = Buscar miembros
members-search-go = Buscar
members-more = Mostrar más
members-previous = Anteriores en la lista
members-next = Más miembros
members-online = { $n ->
    [one] { $count } en línea
    [many] { $count } en línea
   *[other] { $count } en línea
}
members-filter = Filtro
filter-all = Todos
filter-admins = Admins
filter-moderators = Moderación
filter-online = En línea
filter-joined = Se unieron en la última hora
members-found = { $n ->
    [one] { $count } resultado
    [many] { $count } de resultados
   *[other] { $count } resultados
}
members-bans-link = Vetos
members-mutes-link = Personas silenciadas
members-page = Miembros de { $group }

group-members = { $n ->
    [one] { $count } miembro
    [many] { $count } de miembros
   *[other] { $count } miembros
}

## A row

row-joined = Se unió el { $date }
row-you = tú
row-own-menu = Tu participación en el grupo
row-menu = Acciones para { $name }
row-select = Seleccionar a { $name }
row-selected = en la selección

## Nobody to show

empty-title = Sin miembros
empty-hint = Aquí verás a quienes se unan.
empty-search = Nadie coincide con «{ $search }»
empty-search-hint = Prueba con una parte del nombre, en cualquier alfabeto, con o sin acentos.
empty-online = No hay nadie en línea
empty-online-hint = Aquí verás a quienes se conecten.
empty-filter = Aquí no hay nadie
empty-filter-hint = Ahora mismo, ningún miembro cumple este filtro.
empty-clear = Mostrar todos los miembros

## Live, and what stands in its way

live-on = En tiempo real
live-reconnecting = Reconectando…
live-off = Sin actualizaciones en tiempo real. Recarga la página para ver los cambios.
presence-batched = La lista de quién está en línea se actualiza cada cinco segundos.
presence-counts = Hay tanta gente en línea que solo su número se actualiza en tiempo real.
members-failed = No se pueden mostrar los miembros.
request-failed = No se ha podido hacer.
request-retry = Reintentar
held-changes = { $n ->
    [one] { $count } cambio
    [many] { $count } de cambios
   *[other] { $count } cambios
}

## A spoken line about what changed lately: "3 joined, 1 left, Ana is now admin"

digest-joined = { $n ->
    [one] { $count } incorporación
    [many] { $count } de incorporaciones
   *[other] { $count } incorporaciones
}
digest-left = { $n ->
    [one] { $count } salida
    [many] { $count } de salidas
   *[other] { $count } salidas
}
digest-removed = { $n ->
    [one] { $count } expulsión
    [many] { $count } de expulsiones
   *[other] { $count } expulsiones
}
digest-changed = { $n ->
    [one] { $count } cambio de rol
    [many] { $count } de cambios de rol
   *[other] { $count } cambios de rol
}
digest-admin = { $name } ahora es admin
digest-moderator = { $name } ahora modera el grupo
digest-participant = { $name } ahora es participante
digest-owner = El grupo ahora pertenece a { $name }

## Selecting people

selection-count = { $n ->
    [one] Selección: { $count }
    [many] Selección: { $count }
   *[other] Selección: { $count }
}
selection-clear = Borrar selección
selection-all = Seleccionar todas las coincidencias
selection-done = Continuar
selection-full = Puedes seleccionar hasta { $count } personas.
selection-first = Selección: los primeros { $count } de { $all }.
selection-page = Personas seleccionadas
selection-none = No has seleccionado a nadie.
selection-choose = Selecciona al menos una persona.
selection-fewer = Son demasiadas personas a la vez. Selecciona menos.
selection-gone = { $n ->
    [one] { $count } persona ya no forma parte del grupo.
    [many] { $count } de personas ya no forman parte del grupo.
   *[other] { $count } personas ya no forman parte del grupo.
}

## When the viewer is out

ended-kicked = Te han expulsado de este grupo
ended-kicked-hint = Puedes volver: únete otra vez o pide que te añadan.
ended-banned = Tienes vetada la entrada a este grupo
ended-deleted = Este grupo ya no existe
ended-deleted-hint = Sus miembros ya no se muestran.
ended-left = Ya no estás en este grupo
ended-left-hint = Puedes volver: únete otra vez o pide que te añadan.

## Out of the group, and at its door

left-title = Has salido de { $group }
left-untold = Has salido del grupo
left-ask = Para volver, pide que te añadan.
act-join-again = Unirse otra vez
banned-until = No puedes volver hasta el { $time }.
banned-for-good = El veto es indefinido: no puedes volver a menos que te lo quiten.
muted-until = No puede escribir hasta el { $time }
muted-you = No puedes escribir en este grupo hasta el { $time }.
scope-until = Hasta el { $time }
scope-you-admin = Tienes el rol de admin hasta el { $time }.
scope-you-moderator = Tienes el rol de moderador/a hasta el { $time }.
told = Mensaje del equipo: { $message }
group-password-missing = Escribe la contraseña del grupo.
selection-back = Cambiar la selección

## Acts, in a menu

act-kick = Expulsar
act-ban = Vetar
act-unban = Quitar el veto
act-mute = Silenciar
act-unmute = Quitar el silencio
act-scope = Cambiar rol
act-scope-own = Renunciar a tu rol
act-transfer = Transferir la propiedad
act-leave = Salir del grupo
act-cancel = Cancelar
act-close = Cerrar

## Acts, as forms: the question over the form

ask-kick = ¿Expulsar a { $name }?
ask-ban = ¿Vetar a { $name }?
ask-unban = ¿Quitar el veto a { $name }?
ask-mute = ¿Silenciar a { $name }?
ask-unmute = ¿Quitar el silencio a { $name }?
ask-scope = Cambiar el rol de { $name }
ask-scope-own = Renunciar a tu rol
ask-transfer = ¿Transferir el grupo a { $name }?
ask-leave = ¿Salir del grupo?

## Acts, as forms: what will happen

hint-kick = Esta persona saldrá del grupo ahora mismo, pero podrá volver.
hint-ban = Esta persona saldrá del grupo ahora mismo y no podrá volver mientras dure el veto. Lo que escribas para el equipo lo ven quienes moderan o administran el grupo y su propietario/a.
hint-unban = Esta persona podrá volver a entrar, pero no regresará al grupo automáticamente.
hint-mute = Esta persona seguirá en el grupo, pero no podrá escribir mientras dure el silencio. Lo que escribas para el equipo lo ven quienes moderan o administran el grupo y su propietario/a.
hint-unmute = Esta persona podrá volver a escribir de inmediato.
hint-scope = Lo que puede hacer esta persona cambia al instante. Todo el grupo ve el nuevo rol.
hint-scope-own = Renuncias a permisos. Solo te los puede devolver alguien con un rol superior.
hint-transfer = Esta persona tendrá el control total del grupo y tú pasarás a ser admin. Solo ella podrá devolvértelo.
hint-leave = Dejarás de formar parte del grupo. Para volver, únete otra vez o pide que te añadan.
hint-leave-alone = No queda nadie más en el grupo. El grupo se conserva y pasa a pertenecer al servidor.

## Acts, as forms: the button that does it

do-kick = Expulsar a { $name }
do-ban = Vetar a { $name }
do-unban = Quitar el veto a { $name }
do-mute = Silenciar a { $name }
do-unmute = Quitar el silencio a { $name }
do-scope = Guardar
do-transfer = Transferir el grupo a { $name }
do-leave = Salir del grupo

## The form of a ban

ban-reason = Para el equipo
ban-message = Mensaje para la persona
ban-for = Duración
ban-hour = 1 hora
ban-day = 1 día
ban-week = 7 días
ban-forever = Hasta nuevo aviso
for-minutes = 5 minutos
for-other = Otra fecha de fin
for-hours = Número de horas
for-day = O hasta el final de un día (UTC)
scope-forever = Hasta nuevo aviso
scope-end-now = Poner fin al rol ahora
scope-legend = Rol
batch-will-kick = { $n ->
    [one] Se expulsará del grupo a { $count } persona.
    [many] Se expulsará del grupo a { $count } de personas.
   *[other] Se expulsará del grupo a { $count } personas.
}
batch-will-ban = { $n ->
    [one] Se vetará a { $count } persona.
    [many] Se vetará a { $count } de personas.
   *[other] Se vetará a { $count } personas.
}
batch-will-mute = { $n ->
    [one] Se silenciará a { $count } persona.
    [many] Se silenciará a { $count } de personas.
   *[other] Se silenciará a { $count } personas.
}
batch-will-scope = { $n ->
    [one] { $count } persona tendrá el nuevo rol.
    [many] { $count } de personas tendrán el nuevo rol.
   *[other] { $count } personas tendrán el nuevo rol.
}
batch-cannot = No es posible con { $count }:
batch-unchanged = Nada que cambiar
batch-refused-oneself = Tú
batch-refused-equal = Mismo rol que el tuyo
batch-refused-above = Rol superior al tuyo
batch-refused-grant = Nuevo rol superior al tuyo
batch-refused-scope-ends = Rol permanente ya igual o superior
batch-refused-not-a-member = Fuera del grupo
batch-refused-changed = Cambios mientras tanto
batch-refused-too-late = Ha pasado demasiado tiempo
batch-refused-overtaken = Cambios posteriores
batch-hint-kick = Las personas afectadas saldrán del grupo ahora mismo, pero podrán volver.
batch-hint-ban = Las personas afectadas saldrán del grupo ahora mismo y no podrán volver mientras dure el veto. Lo que escribas para el equipo lo ven quienes moderan o administran el grupo y su propietario/a.
batch-hint-mute = Las personas afectadas seguirán en el grupo, pero no podrán escribir mientras dure el silencio. Lo que escribas para el equipo lo ven quienes moderan o administran el grupo y su propietario/a.
batch-hint-scope = Lo que pueden hacer las personas afectadas cambia al instante. Todo el grupo ve el nuevo rol.

## What came of an act, on a page without JavaScript

done-kick = { $name } ya no está en el grupo.
done-ban = { $name } ahora tiene vetada la entrada.
done-unban = { $name } ya puede volver a entrar.
done-mute = { $name } no puede escribir por ahora.
done-unmute = { $name } puede escribir de nuevo.
done-scope = { $name } ahora tiene otro rol.
done-transfer = El grupo ahora pertenece a { $name }.
done-undo = Se ha deshecho la acción sobre { $name }.
done-note-added = Se ha añadido tu nota sobre { $name }.
done-note-removed = Se ha eliminado la nota sobre { $name }.
batch-done-kick = { $n ->
    [one] { $count } persona ya no está en el grupo.
    [many] { $count } de personas ya no están en el grupo.
   *[other] { $count } personas ya no están en el grupo.
}
batch-done-ban = { $n ->
    [one] { $count } persona ahora tiene vetada la entrada.
    [many] { $count } de personas ahora tienen vetada la entrada.
   *[other] { $count } personas ahora tienen vetada la entrada.
}
batch-done-mute = { $n ->
    [one] { $count } persona no puede escribir por ahora.
    [many] { $count } de personas no pueden escribir por ahora.
   *[other] { $count } personas no pueden escribir por ahora.
}
batch-done-scope = { $n ->
    [one] { $count } persona ahora tiene otro rol.
    [many] { $count } de personas ahora tienen otro rol.
   *[other] { $count } personas ahora tienen otro rol.
}
batch-done-undo = { $n ->
    [one] Se ha deshecho la acción sobre { $count } persona.
    [many] Se ha deshecho la acción sobre { $count } de personas.
   *[other] Se ha deshecho la acción sobre { $count } personas.
}
undo-button = Deshacer
undo-left = { $count }s
done-join = Ya formas parte del grupo.

## Why an act is refused

refused-participant = Como participante no puedes hacerle esto a nadie.
refused-oneself = Eres tú.
refused-equal-owner = Solo puedes hacerlo con quien tiene un rol inferior al tuyo, y esta persona tiene el mismo: propietario/a.
refused-equal-admin = Solo puedes hacerlo con quien tiene un rol inferior al tuyo, y esta persona tiene el mismo: admin.
refused-equal-moderator = Solo puedes hacerlo con quien tiene un rol inferior al tuyo, y esta persona tiene el mismo: moderador/a.
refused-equal-participant = Solo puedes hacerlo con quien tiene un rol inferior al tuyo, y esta persona tiene el mismo: participante.
refused-above-owner = Solo puedes hacerlo con quien tiene un rol inferior al tuyo, y esta persona tiene uno superior: propietario/a.
refused-above-admin = Solo puedes hacerlo con quien tiene un rol inferior al tuyo, y esta persona tiene uno superior: admin.
refused-above-moderator = Solo puedes hacerlo con quien tiene un rol inferior al tuyo, y esta persona tiene uno superior: moderador/a.
refused-above-participant = Solo puedes hacerlo con quien tiene un rol inferior al tuyo, y esta persona tiene uno superior: participante.
refused-owner-only = Solo puede transferir el grupo su propietario/a.
refused-grant-owner = Como máximo puedes dar tu propio rol: propietario/a.
refused-grant-admin = Como máximo puedes dar tu propio rol: admin.
refused-grant-moderator = Como máximo puedes dar tu propio rol: moderador/a.
refused-grant-participant = Como máximo puedes dar tu propio rol: participante.
refused-self-ban = No puedes vetarte. Si quieres irte, sal del grupo.
refused-self-mute = No puedes silenciarte ni quitarte el silencio.
refused-scope-ends = Un rol solo puede tener fecha de fin si es superior al que la persona tendría sin él.
refused-not-a-member = Esta persona no forma parte de este grupo.
refused-owner-must-transfer = El grupo necesita propietario/a: antes de salir, transfiérelo a alguien.
refused-not-undoable = Solo se puede deshacer que un miembro haya expulsado, vetado o silenciado a otra persona, le haya cambiado el rol o le haya quitado el veto o el silencio.
refused-not-theirs-to-undo = Solo puede deshacerlo quien lo hizo o alguien con un rol superior.
refused-not-theirs-to-remove = Solo puede eliminar esta nota quien la escribió o alguien con un rol superior.
refused-banned = Tienes vetada la entrada a este grupo.
refused-password = Esa no es la contraseña del grupo.
refused-rights-changed = Su rol o el tuyo ha cambiado mientras tanto.
refused-changed-since-shown = Algo ha cambiado mientras tanto. Revísalo antes de volver a intentarlo.

## A field of a form that cannot be taken as it is

field-scope = Elige un rol.
field-end = { $n ->
    [one] Elige una fecha de fin dentro de { $count } día como máximo.
    [many] Elige una fecha de fin dentro de { $count } de días como máximo.
   *[other] Elige una fecha de fin dentro de { $count } días como máximo.
}
field-ends = Indica un número de horas o un día, no ambos.
field-long = { $n ->
    [one] Este texto es demasiado largo: { $count } carácter como máximo.
    [many] Este texto es demasiado largo: { $count } de caracteres como máximo.
   *[other] Este texto es demasiado largo: { $count } caracteres como máximo.
}
field-odd = Este texto contiene un carácter que no se puede mostrar. Quítalo o vuelve a escribir el texto.

## Who changed it meanwhile, behind a refusal. $by is a name, $time a moment such as "2 May 2024, 14:03".

changed-scope-admin = { $by } dio a { $name } el rol de admin ({ $time }).
changed-scope-moderator = { $by } dio a { $name } el rol de moderador/a ({ $time }).
changed-scope-participant = { $by } dio a { $name } el rol de participante ({ $time }).
changed-owner = { $by } transfirió el grupo ({ $time }).
changed-kicked = { $by } expulsó a { $name } ({ $time }).
changed-banned = { $by } vetó a { $name } ({ $time }).
changed-muted = { $by } silenció a { $name } ({ $time }).
changed-unmuted = { $by } quitó el silencio a { $name } ({ $time }).
changed-left = { $name } salió del grupo ({ $time }).
the-host = El servidor
the-team = El equipo

## Errors: a title, and what to do

error-not-found = No encontrado
error-not-found-hint = Ese grupo no existe o no puedes verlo.
error-not-a-member = No forma parte del grupo
error-not-allowed = No está permitido
error-not-undone = No se ha deshecho
undo-too-late = Ha pasado demasiado tiempo para deshacerlo.
undo-overtaken = La situación ha cambiado desde entonces, así que no se ha deshecho la acción.
error-not-any-more = Ya no es posible
error-owner-must-stay = El grupo no puede quedarse sin propietario/a
error-banned = Entrada vetada
error-bad-request = No se puede leer esta solicitud
error-invalid = Hay un valor no permitido
error-sign-in = Inicia sesión
error-sign-in-hint = Hace falta un token de viewer, como bearer o en la cookie de sesión.
error-sign-in-again = Vuelve a iniciar sesión
error-token-expired = El token ha caducado.
error-signed-out = Tu sesión se ha cerrado en todos los dispositivos.
error-too-large = Demasiado grande
error-too-large-hint = El contenido de esta solicitud es demasiado grande.
error-too-fast = Demasiado rápido
error-too-fast-hint = { $n ->
    [one] Vuelve a intentarlo en { $count } segundo.
    [many] Vuelve a intentarlo en { $count } de segundos.
   *[other] Vuelve a intentarlo en { $count } segundos.
}
error-unavailable = Ahora no es posible
error-unavailable-hint = No se ha cambiado nada. Vuelve a intentarlo en un momento.
error-unsure = No se sabe si se ha hecho
error-unsure-hint = No ha llegado respuesta a tiempo. Comprueba si se ha hecho antes de volver a intentarlo.
error-internal = Algo ha fallado por nuestra parte
error-internal-hint = Indica este número si nos avisas: { $number }

## Whole pages

page-back = Volver
page-members = Miembros
page-not-a-member = No formas parte de este grupo.
page-refused = No es posible
group-join-password = Puede unirse quien sepa la contraseña.
group-join = Puede unirse cualquiera.
group-password = Contraseña
act-join = Unirse

## Who is banned

bans-title = Vetos en { $group }
bans-search = Buscar en los vetos
bans-none = Nadie tiene vetada la entrada
bans-no-reason = Sin motivo indicado.
bans-until = Hasta el { $time }.
bans-forever = Hasta nuevo aviso.
bans-by = Veto impuesto por: { $by }, { $time }.
mutes-by = Silencio impuesto por: { $by }, { $time }.
mutes-title = Personas silenciadas en { $group }
mutes-search = Buscar personas silenciadas
mutes-none = No hay personas silenciadas
notes-label = Notas
notes-title = Notas sobre { $name }
notes-hint = Solo pueden leerlas quienes tienen en el equipo un rol superior al de esta persona. No se le avisa.
notes-none = Aún no hay notas
notes-count = Notas: { $count }
notes-by = { $by }, { $time }
notes-text = Nota
notes-missing = Escribe primero la nota.
notes-full = No se pueden guardar más notas sobre esta persona. Elimina una primero.
notes-add = Añadir nota
notes-remove = Eliminar

## The feed of changes

feed-title = Cambios en { $group }
feed-joined = { $name } se unió
feed-added = { $by } añadió a { $name }
feed-left = { $name } salió
feed-kicked = { $by } expulsó a { $name }
feed-banned = { $by } vetó a { $name }
feed-unbanned = { $by } quitó el veto a { $name }
feed-muted = { $by } silenció a { $name }
feed-unmuted = { $by } quitó el silencio a { $name }
feed-scope-admin = { $by } dio a { $name } el rol de admin
feed-scope-moderator = { $by } dio a { $name } el rol de moderador/a
feed-scope-participant = { $by } dio a { $name } el rol de participante
feed-owner = El grupo ahora pertenece a { $name }
feed-updated = { $name } cambió de nombre o de foto
feed-note-added = { $by } añadió una nota sobre { $name }
feed-note-removed = { $by } eliminó una nota sobre { $name }
feed-synced = Los miembros se sincronizaron con el servidor
feed-group-created = Se creó el grupo
feed-group-updated = Cambió el nombre, la foto o la descripción del grupo
feed-group-deleted = Se eliminó el grupo
