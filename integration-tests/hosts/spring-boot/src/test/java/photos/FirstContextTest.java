package photos;

import org.springframework.boot.test.context.SpringBootTest;

@SpringBootTest(properties = {ContextContract.DATABASE, "spring.jpa.hibernate.ddl-auto=update", "context=First"})
class FirstContextTest extends ContextContract {}
